// Storage blocks, counters, images and dispatches: what is stored where, and what GL
// refuses.
#include <string.h>

#include "compiler/gl/base/gl_enums.h"
#include "tests/gl_pixels/draw_scene.h"

#define HEAD "#version 430 compatibility\n"

static void computing(struct scene *s, int program, const char *text)
{
    call(s, "glCreateProgram", "=i", program);
    attach_shader(s, program, program + 1, GL_COMPUTE_SHADER, text);
    call(s, "glLinkProgram", "i", program);
    call(s, "glUseProgram", "i", program);
}

// Fills the window from row `from` on with the colour of storage block 4's three words.
static void showing(struct scene *s, int program, int buffer, int from)
{
    call(s, "glCreateProgram", "=i", program);
    attach_shader(s, program, program + 1, GL_VERTEX_SHADER,
                  HEAD "void main() { gl_Position = ftransform(); }");
    attach_shader(
        s, program, program + 2, GL_FRAGMENT_SHADER,
        HEAD
        "layout(std430, binding = 4) readonly buffer Seen { uint n[3]; };\n"
        "void main() { gl_FragColor = vec4(vec3(n[0], n[1], n[2]) / 255.0, 1.0); }");
    call(s, "glLinkProgram", "i", program);
    call(s, "glUseProgram", "i", program);
    call(s, "glBindBufferBase", "eii", GL_SHADER_STORAGE_BUFFER, 4, buffer);
    quad(s, 0, from, SIDE, SIDE);
}

static void room(struct scene *s, uint32_t target, int buffer, int bytes)
{
    static const uint8_t zeros[2048];
    call(s, "glBindBuffer", "ei", target, buffer);
    call(s, "glBufferData", "eiBe", target, bytes, (size_t)bytes, zeros,
         GL_DYNAMIC_COPY);
}

#define STORES                                                                    \
    HEAD "layout(local_size_x = 1) in; layout(std430, binding = 1) buffer To {\n" \
         "  uint n[]; }; void main() {\n"

// What a dispatch stores is there for draws and further dispatches; parts that do not
// begin where all devices take them keep their neighbours.
static void stored(struct scene *s)
{
    room(s, GL_SHADER_STORAGE_BUFFER, 1, 1024);
    computing(s, 10, STORES "n[gl_WorkGroupID.x] += 255u * (gl_WorkGroupID.x & 1u); }");
    call(s, "glBindBufferRange", "eiiii", GL_SHADER_STORAGE_BUFFER, 1, 1, 32, 12);
    call(s, "glDispatchCompute", "iii", 3, 1, 1); // green
    call(s, "glBindBufferRange", "eiiii", GL_SHADER_STORAGE_BUFFER, 1, 1, 44, 8);
    call(s, "glDispatchCompute", "iii", 2, 1, 1); // behind it
    room(s, GL_COPY_WRITE_BUFFER, 2, 16);
    call(s, "glBindBuffer", "ei", GL_COPY_READ_BUFFER, 1);
    call(s, "glCopyBufferSubData", "eeiii", GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER,
         32, 0, 12);
    showing(s, 20, 2, 0);
}

// The numbers of workgroups stand in a buffer: as the trace has them, as a dispatch
// made them.
static void indirect(struct scene *s)
{
    room(s, GL_DISPATCH_INDIRECT_BUFFER, 1, 64);
    call(s, "glBufferSubData", "eiiB", GL_DISPATCH_INDIRECT_BUFFER, 0, 12, (size_t)12,
         (const uint8_t *)"\3\0\0\0\1\0\0\0\1\0\0");
    room(s, GL_SHADER_STORAGE_BUFFER, 2, 16);
    call(s, "glBindBufferBase", "eii", GL_SHADER_STORAGE_BUFFER, 1, 2);
    computing(s, 10, STORES "n[gl_WorkGroupID.x] = 1u; }");
    call(s, "glDispatchComputeIndirect", "i", 0); // 1, 1, 1
    call(s, "glBindBuffer", "ei", GL_DISPATCH_INDIRECT_BUFFER, 2);
    room(s, GL_SHADER_STORAGE_BUFFER, 3, 16);
    call(s, "glBindBufferBase", "eii", GL_SHADER_STORAGE_BUFFER, 1, 3);
    computing(s, 14, STORES "n[2] = 255u; }");
    call(s, "glDispatchComputeIndirect", "i", 0);
    showing(s, 20, 3, 0); // blue
}

// What draws store counts without a pixel: behind discarded primitives, where all faces
// are culled.
static void unseen(struct scene *s)
{
    room(s, GL_SHADER_STORAGE_BUFFER, 1, 16);
    call(s, "glBindBufferBase", "eii", GL_SHADER_STORAGE_BUFFER, 1, 1);
    call(s, "glCreateProgram", "=i", 10);
    attach_shader(
        s, 10, 11, GL_VERTEX_SHADER,
        HEAD "layout(std430, binding = 1) buffer To { uint n[]; }; uniform int which;\n"
             "void main() { atomicMax(n[which], 255u); gl_Position = gl_Vertex; }");
    attach_shader(s, 10, 12, GL_FRAGMENT_SHADER,
                  HEAD "void main() { gl_FragColor = vec4(1); }");
    call(s, "glLinkProgram", "i", 10);
    call(s, "glUseProgram", "i", 10);
    call(s, "glEnable", "e", GL_RASTERIZER_DISCARD);
    quad(s, 0, 0, 1, 1);
    call(s, "glDisable", "e", GL_RASTERIZER_DISCARD);
    call(s, "glEnable", "e", GL_CULL_FACE);
    call(s, "glCullFace", "e", GL_FRONT_AND_BACK);
    call(s, "glUniform1i", "ii", 0, 2);
    quad(s, 0, 0, 1, 1);
    call(s, "glDisable", "e", GL_CULL_FACE);
    showing(s, 20, 1, 0); // red and blue
}

// Buffers are filled with texels, whether the device wrote them or the trace.
static void cleared(struct scene *s)
{
    static const uint8_t word[4] = { 255, 0, 0, 0 }, bytes[4] = { 0, 0, 255, 0 };
    room(s, GL_SHADER_STORAGE_BUFFER, 1, 16);
    call(s, "glBindBufferBase", "eii", GL_SHADER_STORAGE_BUFFER, 1, 1);
    computing(s, 10, STORES "n[0] = 255u; n[1] = 255u; n[2] = 7u; }");
    call(s, "glDispatchCompute", "iii", 1, 1, 1);
    call(s, "glClearBufferSubData", "eeiieeB", GL_SHADER_STORAGE_BUFFER, GL_R32UI, 8, 4,
         GL_RED_INTEGER, GL_UNSIGNED_INT, (size_t)4, word);
    call(s, "glClearBufferSubData", "eeiieen", GL_SHADER_STORAGE_BUFFER, GL_RGBA8, 4, 4,
         GL_RGBA, GL_UNSIGNED_BYTE);
    showing(s, 20, 1, 16); // 255, 0, 255
    room(s, GL_SHADER_STORAGE_BUFFER, 2, 16);
    call(s, "glClearNamedBufferData", "ieeeB", 2, GL_R8, GL_BLUE, GL_UNSIGNED_BYTE,
         (size_t)1, bytes); // blue is no component of it: zeros
    call(s, "glClearNamedBufferSubData", "ieiieeB", 2, GL_RG16UI, 4, 4, GL_RG_INTEGER,
         GL_UNSIGNED_SHORT, (size_t)4, word);
    call(s, "glClearBufferSubData", "eeiieeB", GL_SHADER_STORAGE_BUFFER, GL_RGBA32UI, 4,
         4, GL_RGBA_INTEGER, GL_UNSIGNED_INT, (size_t)4, word); // not a whole texel
    call(s, "glClearBufferSubData", "eeiieeB", GL_SHADER_STORAGE_BUFFER, GL_R32UI, 8,
         16, GL_RED_INTEGER, GL_UNSIGNED_INT, (size_t)4, word); // beyond the end
    call(s, "glClearBufferData", "eeeeB", GL_SHADER_STORAGE_BUFFER, GL_RGB8, GL_RGB,
         GL_UNSIGNED_BYTE, (size_t)3, word);
    call(s, "glClearBufferData", "eeeeB", GL_SHADER_STORAGE_BUFFER, GL_R32UI, GL_RED,
         GL_FLOAT, (size_t)4, word);
    call(s, "glClearNamedBufferData", "ieeeB", 9, GL_R8, GL_RED, GL_UNSIGNED_BYTE,
         (size_t)1, word);
    call(s, "glUseProgram", "i", 20);
    call(s, "glBindBufferBase", "eii", GL_SHADER_STORAGE_BUFFER, 4, 2);
    quad(s, 0, 0, SIDE, 16); // 0, 255, 0
}

// Refused calls change nothing.
static void refused(struct scene *s)
{
    room(s, GL_SHADER_STORAGE_BUFFER, 1, 16);
    call(s, "glBindBufferBase", "eii", GL_SHADER_STORAGE_BUFFER, 1, 1);
    call(s, "glDispatchCompute", "iii", 1, 1, 1); // of no program
    showing(s, 20, 1, 0);
    call(s, "glDispatchCompute", "iii", 1, 1, 1); // of one that draws
    computing(s, 10, STORES "n[0] = 255u; }");
    quad(s, 0, 0, SIDE, SIDE); // with one that computes
    call(s, "glDispatchCompute", "iii", 65536, 1, 1);
    call(s, "glDispatchCompute", "iii", 0, 1, 1);
    call(s, "glDispatchComputeIndirect", "i", 0); // out of no buffer
    room(s, GL_DISPATCH_INDIRECT_BUFFER, 2, 16);
    call(s, "glDispatchComputeIndirect", "i", 8);
    call(s, "glDispatchComputeIndirect", "i", 2);
    call(s, "glDispatchComputeIndirect", "i", -4);
    call(s, "glDispatchComputeIndirect", "i", 0); // none
    call(s, "glShaderStorageBlockBinding", "iii", 10, 7, 1);
    call(s, "glShaderStorageBlockBinding", "iii", 10, 0, 1000);
    call(s, "glShaderStorageBlockBinding", "iii", 11, 0, 3);
    showing(s, 30, 1, 0);
}

#define IMAGE                                                                   \
    HEAD "layout(local_size_x = 1) in; layout(rgba8) uniform image2D to;\n"     \
         "layout(std430, binding = 1) buffer To { uint n[]; }; void main() {\n" \
         "  imageStore(to, ivec2(0), vec4(1)); n[0] = 255u; n[1] = uint(\n"     \
         "  imageLoad(to, ivec2(1)).g * 255.0); }"

static void bind_image(struct scene *s, int unit, int texture, int level, int layer,
                       uint32_t access, uint32_t format)
{
    call(s, "glBindImageTexture", "iiieiee", unit, texture, level, 0u, layer, access,
         format);
}

// Units without an image, with one of another kind or size, read zeros.
static void images(struct scene *s)
{
    texels(s, 3, GREEN, false);
    room(s, GL_SHADER_STORAGE_BUFFER, 1, 16);
    call(s, "glBindBufferBase", "eii", GL_SHADER_STORAGE_BUFFER, 1, 1);
    bind_image(s, 0, 3, 0, 0, GL_READ_WRITE, GL_RGBA8);
    bind_image(s, 192, 3, 0, 0, GL_READ_WRITE, GL_RGBA8);
    bind_image(s, 0, 77, 0, 0, GL_READ_WRITE, GL_RGBA8);
    bind_image(s, 0, 3, -1, 0, GL_READ_WRITE, GL_RGBA8);
    bind_image(s, 0, 3, 0, -1, GL_READ_WRITE, GL_RGBA8);
    bind_image(s, 0, 3, 0, 0, GL_RED, GL_RGBA8);
    bind_image(s, 0, 3, 0, 0, GL_READ_WRITE, GL_RGB8);
    call(s, "glBindImageTextures", "iiI", 191, 2, INTEGERS(0, 0));
    call(s, "glBindImageTextures", "iiI", 0, -1, INTEGERS(0));
    computing(s, 10, IMAGE);
    call(s, "glDispatchCompute", "iii", 1, 1, 1);
    showing(s, 20, 1, 0);                                // red, green, and two texels
    bind_image(s, 1, 3, 9, 0, GL_READ_WRITE, GL_RGBA8);  // no such level
    bind_image(s, 2, 3, 0, 0, GL_READ_WRITE, GL_R32UI);  // of other numbers
    bind_image(s, 3, 3, 0, 0, GL_READ_WRITE, GL_RGBA16); // of another size
    call(s, "glUseProgram", "i", 10);
    for (int unit = 1; unit < 5; unit++) {
        call(s, "glUniform1i", "ii", 0, unit);
        call(s, "glDispatchCompute", "iii", 1, 1, 1);
    }
    call(s, "glUniform1i", "ii", 0, 1000000);
    call(s, "glDispatchCompute", "iii", 1, 1, 1);
    call(s, "glDeleteTextures", "iI", 1, INTEGERS(3));
    call(s, "glUniform1i", "ii", 0, 0);
    call(s, "glDispatchCompute", "iii", 1, 1, 1);
    s->unsupported = 1;    // RGBA16 where the text says rgba8
    showing(s, 30, 1, 16); // nothing was loaded
}

// A draw's numbers stand where its own stages read: that is one buffer for both.
static void shared(struct scene *s)
{
    room(s, GL_DRAW_INDIRECT_BUFFER, 1, 64);
    call(s, "glBindBufferBase", "eii", GL_SHADER_STORAGE_BUFFER, 1, 1);
    computing(s, 10, STORES "n[0] = 3u; n[1] = 1u; n[5] = 255u; }");
    call(s, "glDispatchCompute", "iii", 1, 1, 1);
    call(s, "glCreateProgram", "=i", 20);
    attach_shader(s, 20, 21, GL_VERTEX_SHADER,
                  HEAD "void main() { gl_Position = vec4(gl_VertexID == 1 ? 3 : -1,\n"
                       "  gl_VertexID == 2 ? 3 : -1, 0, 1); }");
    attach_shader(s, 20, 22, GL_FRAGMENT_SHADER,
                  HEAD "layout(std430, binding = 1) buffer Seen { uint n[]; };\n"
                       "void main() { atomicMax(n[8], 1u); gl_FragColor =\n"
                       "  vec4(vec3(n[4], n[5], n[6]) / 255.0, 1.0); }");
    call(s, "glLinkProgram", "i", 20);
    call(s, "glUseProgram", "i", 20);
    call(s, "glDrawArraysIndirect", "ei", GL_TRIANGLES, 0);
}

// Depth, compressed blocks and samples are no storage images: the rest of the dispatch
// goes on.
static void unstorable(struct scene *s)
{
    static const uint8_t block[16];
    call(s, "glBindTexture", "ei", GL_TEXTURE_2D, 5);
    call(s, "glTexStorage2D", "eieii", GL_TEXTURE_2D, 1, GL_DEPTH_COMPONENT32F, 4, 4);
    call(s, "glBindTexture", "ei", GL_TEXTURE_2D, 6);
    call(s, "glCompressedTexImage2D", "eieiiiiB", GL_TEXTURE_2D, 0,
         GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, 4, 4, 0, 16, (size_t)16, block);
    room(s, GL_SHADER_STORAGE_BUFFER, 1, 16);
    call(s, "glBindBufferBase", "eii", GL_SHADER_STORAGE_BUFFER, 1, 1);
    bind_image(s, 0, 5, 0, 0, GL_READ_WRITE, GL_R32F);
    bind_image(s, 1, 6, 0, 0, GL_READ_WRITE, GL_RGBA32UI);
    computing(s, 10,
              HEAD
              "layout(local_size_x = 1) in; layout(binding = 0, r32f) uniform image2D\n"
              "  a; layout(binding = 1, rgba32ui) uniform uimage2D b;\n"
              "layout(std430, binding = 1) buffer To { uint n[]; }; void main() {\n"
              "  imageStore(a, ivec2(0), vec4(1));\n"
              "  n[1] = imageLoad(b, ivec2(0)).r == 0u ? 255u : 0u; }");
    call(s, "glDispatchCompute", "iii", 1, 1, 1);
    showing(s, 20, 1, 0);
}

// Halves that do not fit beside what the program has are said, nothing is drawn.
static void halves(struct scene *s)
{
    clear_to(s, GREEN);
    call(s, "glCreateProgram", "=i", 10);
    attach_shader(s, 10, 11, GL_FRAGMENT_SHADER,
                  HEAD "uniform Large { vec4 all[65535]; };\n"
                       "void main() { gl_FragColor = all[int(gl_FragCoord.x)]; }");
    call(s, "glLinkProgram", "i", 10);
    call(s, "glUseProgram", "i", 10);
    quad(s, 0, 0, SIDE, SIDE);
    s->unsupported = 1;
}

#define EVERYWHERE(rgb)             \
    {                               \
        { 1, 1, rgb },              \
        {                           \
            SIDE - 2, SIDE - 2, rgb \
        }                           \
    }

static const struct draw_row rows[] = {
    { "stored", stored, SIDE, EVERYWHERE(GREEN), 2, 1 },
    { "indirect", indirect, SIDE, EVERYWHERE(BLUE), 2, 1 },
    { "unseen", unseen, SIDE, EVERYWHERE(RED | BLUE), 2, 3 },
    { "cleared",
      cleared,
      SIDE,
      { { 1, 1, GREEN }, { 1, SIDE - 2, RED | BLUE } },
      3,
      2 },
    { "refused", refused, SIDE, EVERYWHERE(BLACK), 2, 2 },
    { "shared", shared, SIDE, EVERYWHERE(GREEN), 2, 0 },
    { "unstorable", unstorable, SIDE, EVERYWHERE(GREEN), 2, 1 },
    { "halves", halves, SIDE, EVERYWHERE(GREEN), 1, 0 },
    { "images", images, SIDE, { { 1, 1, RED | GREEN }, { 1, SIDE - 2, RED } }, 3, 2 },
};

int main(void)
{
    return check_draws(rows, sizeof rows / sizeof rows[0]);
}
