#define GL_GLEXT_PROTOTYPES
#include "tests/live/storage_scenes.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stddef.h>
#include <stdio.h>

#define SIDE 32

static void attach(GLuint program, GLenum type, const char *text)
{
    GLint ok = 0;
    GLuint shader = glCreateShader(type);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (!ok)
        fprintf(stderr, "live_scenes: a shader does not compile\n");
    glAttachShader(program, shader);
}

static GLuint linked(const char *vertex, const char *fragment, const char *compute)
{
    GLint ok = 0;
    GLuint program = glCreateProgram();
    if (vertex)
        attach(program, GL_VERTEX_SHADER, vertex);
    if (fragment)
        attach(program, GL_FRAGMENT_SHADER, fragment);
    if (compute)
        attach(program, GL_COMPUTE_SHADER, compute);
    glBindAttribLocation(program, 0, "at");
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (!ok)
        fprintf(stderr, "live_scenes: a program does not link\n");
    glUseProgram(program);
    return program;
}

static void begin(void)
{
    glClearColor(0.1f, 0.1f, 0.2f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

static GLuint buffer_of(GLenum target, GLsizeiptr size, const void *bytes)
{
    GLuint name;
    glGenBuffers(1, &name);
    glBindBuffer(target, name);
    glBufferData(target, size, bytes, GL_DYNAMIC_COPY);
    return name;
}

// ---- compute ----

#define HEAD "#version 430 compatibility\n"

// Puts a triangle of each invocation into a buffer: position and colour.
static const char *const making = HEAD
    "layout(local_size_x = 4, local_size_y = 2) in;\n"
    "struct corner { vec2 at; float pad[2]; vec4 tint; };\n"
    "layout(std430, binding = 2) writeonly buffer Made { corner corners[]; };\n"
    "layout(std430, binding = 1) readonly buffer Given { float sizes[]; };\n"
    "uniform float turn; shared float seen[8];\n"
    "void main() {\n"
    "  uvec3 groups = gl_NumWorkGroups;\n"
    "  uint n = gl_WorkGroupID.x * 8u + gl_LocalInvocationIndex;\n"
    "  seen[gl_LocalInvocationIndex] = sizes[n % uint(sizes.length())];\n"
    "  barrier();\n"
    "  float size = seen[7u - gl_LocalInvocationIndex];\n"
    "  vec2 c = vec2(float(n % 8u), float(n / 8u)) * vec2(0.24, 0.5) - vec2(0.83,\n"
    "    0.71 - turn);\n"
    "  for (uint i = 0u; i < 3u; i++) {\n"
    "    corners[3u * n + i].at = c + size * vec2(i == 1u, i == 2u);\n"
    "    corners[3u * n + i].tint = vec4(float(i) / 2.0, float(n) / 24.0,\n"
    "      float(groups.x) / 4.0, 1.0);\n"
    "  }\n}\n";

static const char *const plain_vertex =
    HEAD "in vec2 at; in vec4 tint; out vec4 color;\n"
         "void main() { color = tint; gl_Position = vec4(at, 0.1, 1.0); }\n";
static const char *const plain_fragment =
    HEAD "in vec4 color; out vec4 o; void main() { o = color; }\n";

static void draw_made(GLuint made, GLint count)
{
    GLuint program = linked(plain_vertex, plain_fragment, NULL);
    GLuint tint = (GLuint)glGetAttribLocation(program, "tint");
    glBindBuffer(GL_ARRAY_BUFFER, made);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 32, NULL);
    glVertexAttribPointer(tint, 4, GL_FLOAT, GL_FALSE, 32, (const void *)16);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(tint);
    glMemoryBarrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT);
    glDrawArrays(GL_TRIANGLES, 0, count);
    glDisableVertexAttribArray(0);
    glDisableVertexAttribArray(tint);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

void scene_computes(int frame)
{
    static const float sizes[] = { 0.05f, 0.1f, 0.18f, 0.12f, 0.07f, 0.21f };
    static const GLuint groups[] = { 9, 1, 1, 1 };
    begin();
    GLuint program = linked(NULL, NULL, making);
    GLuint made = buffer_of(GL_SHADER_STORAGE_BUFFER, 72 * 32, NULL);
    GLuint given = buffer_of(GL_SHADER_STORAGE_BUFFER, 1024, NULL);
    glBufferSubData(GL_SHADER_STORAGE_BUFFER, 512, sizeof sizes, sizes);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, made);
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 1, given, 512, sizeof sizes);
    glUniform1f(glGetUniformLocation(program, "turn"), 0.05f * (float)frame);
    glDispatchCompute(2, 1, 1);
    buffer_of(GL_DISPATCH_INDIRECT_BUFFER, sizeof groups, groups);
    draw_made(made, 48);
    glUseProgram(program); // the same once more, over what is there
    glUniform1f(glGetUniformLocation(program, "turn"), 1.0f);
    glDispatchComputeIndirect(4);
    draw_made(made, 24);
    glUseProgram(0);
}

// ---- storage blocks and counters ----

static const char *const counting_vertex =
    HEAD "in vec2 at; flat out int which;\n"
         "layout(std430) buffer Placed { vec2 moved; vec2 size; vec2 more[]; } b[2];\n"
         "void main() { which = gl_InstanceID % 2;\n"
         "  vec2 p = which == 0 ? at * b[0].size + b[0].moved + b[0].more[1]\n"
         "                      : at * b[1].size + b[1].moved;\n"
         "  gl_Position = vec4(p, 0.0, 1.0); }\n";
static const char *const counting_fragment =
    HEAD "flat in int which; out vec4 o;\n"
         "layout(binding = 3, offset = 4) uniform atomic_uint counts[2];\n"
         "layout(std430, binding = 5) coherent buffer Sums { uint sums[4]; } s;\n"
         "void main() { atomicCounterIncrement(counts[which]);\n"
         "  atomicAdd(s.sums[1 + which], 3u); atomicMax(s.sums[3], uint(\n"
         "  gl_FragCoord.x)); o = vec4(0.2, float(which), 0.6, 1.0); }\n";
// What was counted, as the width of bars.
static const char *const bars_vertex =
    HEAD "in vec2 at; layout(std430, binding = 6) readonly buffer All { uint n[4]; };\n"
         "uniform float y; void main() { float w = float(n[gl_InstanceID]) / 3000.0;\n"
         "  gl_Position = vec4(at.x * w * 0.5 + w * 0.5 - 0.95,\n"
         "    at.y * 0.0527 + y + 0.1513 * float(gl_InstanceID), 0.0, 1.0); }\n";
static const char *const bars_fragment =
    HEAD "out vec4 o; void main() { o = vec4(0.9, 0.9, 0.4, 1.0); }\n";

void scene_blocks(int frame)
{
    static const float at[] = { -1, -1, 1, -1, -1, 1, 1, 1 };
    const float placed[64] = { -0.4f, 0.6f, 0.21f, 0.2f,
                               9,     9,    0.1f,  0.04f * (float)frame };
    const float other[] = { 0.5f, 0.55f, 0.3f, 0.17f };
    GLuint zeros[64] = { 0 };
    begin();
    GLuint program = linked(counting_vertex, counting_fragment, NULL);
    GLuint first = buffer_of(GL_SHADER_STORAGE_BUFFER, sizeof placed, placed);
    GLuint second = buffer_of(GL_SHADER_STORAGE_BUFFER, sizeof other, other);
    GLuint counted = buffer_of(GL_ATOMIC_COUNTER_BUFFER, sizeof zeros, zeros);
    GLuint sums = buffer_of(GL_SHADER_STORAGE_BUFFER, sizeof zeros, zeros);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 7, first);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 8, second);
    glShaderStorageBlockBinding(
        program,
        glGetProgramResourceIndex(program, GL_SHADER_STORAGE_BLOCK, "Placed[0]"), 7);
    glShaderStorageBlockBinding(
        program,
        glGetProgramResourceIndex(program, GL_SHADER_STORAGE_BLOCK, "Placed[1]"), 8);
    glBindBufferRange(GL_ATOMIC_COUNTER_BUFFER, 3, counted, 16, 12);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 5, sums);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 8, at);
    glEnableVertexAttribArray(0);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 2);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 1);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    GLuint showing = linked(bars_vertex, bars_fragment, NULL);
    GLint y = glGetUniformLocation(showing, "y");
    GLuint copy = buffer_of(GL_SHADER_STORAGE_BUFFER, 64, NULL);
    glBindBuffer(GL_COPY_READ_BUFFER, counted);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_SHADER_STORAGE_BUFFER, 16, 0, 16);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 6, copy);
    glUniform1f(y, -0.307f);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 4);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 6, sums);
    glUniform1f(y, -0.853f);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 4);
    glDisableVertexAttribArray(0);
    glUseProgram(0);
}

// ---- draws that the device drives ----

// As many draws as the frame's number, of commands there and of the program's own.
static void drive_counts(GLint shift, GLuint counted)
{
    static const GLuint commands[3][7] = { { 3, 1, 0, 4, 0 },
                                           { 3, 1, 3, 4, 0 },
                                           { 6, 2, 0, 0, 0 } };
    glBindBuffer(GL_PARAMETER_BUFFER_ARB, counted);
    glUniform2f(shift, 0.1f, 1.3f);
    glMultiDrawArraysIndirectCountARB(GL_TRIANGLE_STRIP, 0, 36, 2, 40);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER,
                 buffer_of(GL_DRAW_INDIRECT_BUFFER, sizeof commands, commands));
    glUniform2f(shift, 0.7f, -0.5f);
    glMultiDrawElementsIndirectCountARB(GL_TRIANGLES, GL_UNSIGNED_INT, 0, 36, 3,
                                        sizeof commands[0]);
    glBindBuffer(GL_PARAMETER_BUFFER_ARB, 0);
}

// Numbers of draws, indices, a block of uniforms, vertices: all made there.
static const char *const driving =
    HEAD "layout(local_size_x = 1) in;\n"
         "layout(std430, binding = 0) buffer Draws { uint d[16]; };\n"
         "layout(std430, binding = 1) buffer Indices { uint i[6]; };\n"
         "layout(std430, binding = 2) buffer Values { vec4 tint; vec4 move; };\n"
         "layout(std430, binding = 3) buffer Corners { vec2 at[8]; };\n"
         "uniform int n; void main() {\n"
         "  d[0] = 4u; d[1] = 2u; d[2] = 0u; d[3] = 0u;\n"            // arrays
         "  d[4] = 6u; d[5] = 1u; d[6] = 0u; d[7] = 4u; d[8] = 0u;\n" // elements
         "  d[9] = uint(n); d[10] = 4u; d[11] = 1u; d[12] = 4u; d[13] = 0u;\n"
         "  i[0] = 0u; i[1] = 1u; i[2] = 2u; i[3] = 2u; i[4] = 1u; i[5] = 3u;\n"
         "  tint = vec4(0.2, 0.9, float(n) / 4.0, 1.0); move = vec4(0.1, 0.2, 0, 0);\n"
         "  for (int k = 0; k < 8; k++) at[k] = vec2(k & 1, (k >> 1) & 1) * 0.4 -\n"
         "    vec2(0.83, 0.61 * float(k / 4)); }\n";

void scene_drives(int frame)
{
    static const char *const vertex =
        HEAD "in vec2 at; uniform vec2 shift; flat out int which;\n"
             "layout(std140, binding = 1) uniform Values { vec4 tint; vec4 move; } v;\n"
             "void main() { which = gl_InstanceID; gl_Position = vec4(at + shift +\n"
             "  v.move.xy + vec2(0.55, 0.13) * float(gl_InstanceID), 0.0, 1.0); }\n";
    static const char *const fragment =
        HEAD "layout(std140, binding = 1) uniform Values { vec4 tint; vec4 move; } v;\n"
             "layout(std140, binding = 4) uniform Parts { vec4 c; } parts[2];\n"
             "flat in int which; out vec4 o; void main() { o = v.tint * (which == 0 ?\n"
             "  parts[0].c : parts[1].c); }\n";
    static const float parts[2][64] = { { 1, 0.5f, 1, 1 }, { 0.7f, 1, 0.3f, 1 } };
    GLuint made[4];
    begin();
    GLuint program = linked(NULL, NULL, driving);
    for (GLuint i = 0; i < 4; i++) {
        made[i] = buffer_of(GL_SHADER_STORAGE_BUFFER, 64, NULL);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, made[i]);
    }
    glUniform1i(glGetUniformLocation(program, "n"), frame);
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    program = linked(vertex, fragment, NULL);
    GLint shift = glGetUniformLocation(program, "shift");
    GLuint both = buffer_of(GL_UNIFORM_BUFFER, sizeof parts, parts);
    glBindBufferRange(GL_UNIFORM_BUFFER, 4, both, 0, 16);
    glBindBufferRange(GL_UNIFORM_BUFFER, 5, both, 256, 16);
    glBindBufferBase(GL_UNIFORM_BUFFER, 1, made[2]);
    glBindBuffer(GL_ARRAY_BUFFER, made[3]);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, made[1]);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, made[0]);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 8, NULL);
    glEnableVertexAttribArray(0);
    glDrawArraysIndirect(GL_TRIANGLE_STRIP, NULL);
    glDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_INT, (const void *)16);
    glUniform2f(shift, 1.2f, -0.4f);
    glDrawElementsBaseVertex(GL_TRIANGLES, 6, GL_UNSIGNED_INT, NULL, 4);
    glUniform2f(shift, 1.21f, 0.5f);
    glMultiDrawArraysIndirect(GL_TRIANGLES, NULL, 1, 0);
    drive_counts(shift, made[0]);
    glDisableVertexAttribArray(0);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glUseProgram(0);
}

// ---- images ----

static GLuint stored(GLenum target, GLenum format, int layers)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(target, texture);
    if (target == GL_TEXTURE_2D)
        glTexStorage2D(target, 2, format, SIDE, SIDE);
    else
        glTexStorage3D(target, 1, format, SIDE, SIDE, layers);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return texture;
}

static void show(const char *sampler, const char *color, float x, float y)
{
    static const char *const vertex =
        HEAD "in vec2 at; uniform vec2 place; out vec2 where;\n"
             "void main() { where = at * 0.5 + 0.5;\n"
             "  gl_Position = vec4(at * 0.23 + place, 0.0, 1.0); }\n";
    static const float at[][2] = { { -1, -1 }, { 1, -1 }, { -1, 1 }, { 1, 1 } };
    char text[512];
    snprintf(text, sizeof text,
             HEAD "in vec2 where; uniform %s t; out vec4 o; void main() { o = %s; }\n",
             sampler, color);
    GLuint program = linked(vertex, text, NULL);
    glUniform2f(glGetUniformLocation(program, "place"), x, y);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
    glBegin(GL_TRIANGLE_STRIP);
    for (int k = 0; k < 4; k++)
        glVertexAttrib2fv(0, at[k]);
    glEnd();
}

static void compute_image(const char *text, GLint unit, GLuint texture,
                          GLboolean layered, GLint layer, GLenum format)
{
    GLuint program = linked(NULL, NULL, text);
    glUniform1i(glGetUniformLocation(program, "to"), unit);
    glBindImageTexture((GLuint)unit, texture, 0, layered, layer, GL_READ_WRITE, format);
    glDispatchCompute(SIDE / 8, SIDE / 8, 1);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
}

#define EIGHT HEAD "layout(local_size_x = 8, local_size_y = 8) in;\n"

void scene_images(int frame)
{
    static const char *const wave = EIGHT
        "layout(rgba8) uniform writeonly image2D to; void main() {\n"
        "  ivec2 p = ivec2(gl_GlobalInvocationID.xy);\n"
        "  imageStore(to, p, vec4(vec2(p) / 31.0, float((p.x ^ p.y) & 1), 1.0)); }\n";
    static const char *const swap =
        EIGHT "layout(rgba8) uniform image2D to; void main() {\n"
              "  ivec2 p = ivec2(gl_GlobalInvocationID.xy);\n"
              "  if (p.x < imageSize(to).x / 2) { ivec2 q = ivec2(31 - p.x, p.y);\n"
              "    vec4 a = imageLoad(to, p), b = imageLoad(to, q);\n"
              "    imageStore(to, p, b.bgra); imageStore(to, q, a); } }\n";
    static const char *const sum =
        EIGHT "layout(r32ui) uniform uimage2D to; void main() {\n"
              "  ivec2 p = ivec2(gl_GlobalInvocationID.xy);\n"
              "  imageAtomicAdd(to, p / 4, uint(p.x + p.y)); }\n";
    static const char *const layers =
        EIGHT "layout(rgba16f) uniform image2DArray to; void main() {\n"
              "  ivec2 p = ivec2(gl_GlobalInvocationID.xy);\n"
              "  for (int l = 0; l < imageSize(to).z; l++)\n"
              "    imageStore(to, ivec3(p, l), vec4(float(l) / 3.0, 0.5, float(p.y) /\n"
              "      31.0, 1.0)); }\n";
    static const char *const one =
        EIGHT "layout(rgba16f) uniform image2D to; void main() {\n"
              "  ivec2 p = ivec2(gl_GlobalInvocationID.xy);\n"
              "  imageStore(to, p, vec4(0.9, float(p.x) / 31.0, 0.1, 1.0)); }\n";
    static const char *const bits =
        EIGHT "layout(r32ui) uniform uimage2D to; void main() { // of RGBA8\n"
              "  ivec2 p = ivec2(gl_GlobalInvocationID.xy);\n"
              "  if (p.y > 20) imageStore(to, p, uvec4(0xFF40C020u)); }\n";
    static const char *const both = EIGHT
        "uniform sampler2D from; layout(rgba8) writeonly uniform image2D to;\n"
        "void main() { ivec2 p = ivec2(gl_GlobalInvocationID.xy);\n"
        "  if (p.y < 16) imageStore(to, p + ivec2(0, 16), texelFetch(from, p, 0)\n"
        "    .gbra); }\n";
    begin();
    GLuint color = stored(GL_TEXTURE_2D, GL_RGBA8, 0);
    compute_image(wave, 3, color, GL_FALSE, 0, GL_RGBA8);
    compute_image(swap, 1 + frame, color, GL_FALSE, 0, GL_RGBA8);
    show("sampler2D", "texture(t, where)", -0.7f, 0.6f);
    compute_image(bits, 2, color, GL_FALSE, 0, GL_R32UI);
    show("sampler2D", "texture(t, where)", -0.2f, 0.6f);
    compute_image(both, 6, color, GL_FALSE, 0, GL_RGBA8); // sampled and stored to
    show("sampler2D", "texture(t, where)", 0.75f, 0.6f);
    GLuint sums = stored(GL_TEXTURE_2D, GL_R32UI, 0);
    GLuint zeros[SIDE * SIDE] = { 0 };
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIDE, SIDE, GL_RED_INTEGER, GL_UNSIGNED_INT,
                    zeros);
    compute_image(sum, 0, sums, GL_FALSE, 0, GL_R32UI);
    show("usampler2D",
         "vec4(vec3(texture(t, where).r) / vec3(900.0, 400.0, 90.0), 1.0)", 0.3f, 0.6f);
    GLuint array = stored(GL_TEXTURE_2D_ARRAY, GL_RGBA16F, 3);
    compute_image(layers, 4, array, GL_TRUE, 0, GL_RGBA16F);
    compute_image(one, 5, array, GL_FALSE, 1, GL_RGBA16F);
    show("sampler2DArray", "texture(t, vec3(where, 0.0))", -0.7f, -0.1f);
    show("sampler2DArray", "texture(t, vec3(where, 1.0))", -0.2f, -0.1f);
    show("sampler2DArray", "texture(t, vec3(where, 2.0))", 0.3f, -0.1f);
    glUseProgram(0);
}
