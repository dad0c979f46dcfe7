#define GL_GLEXT_PROTOTYPES
#include "tests/live/medium_scenes.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdint.h>
#include <stdio.h>

// Fragments of medium precision: Mesa computes them in half floats, and says so to the
// last bit. Each is the body of `main` behind the declarations below.
#define COLUMNS 4
#define ROWS 4
#define CELLS (COLUMNS * ROWS)

// NOLINTBEGIN(bugprone-suspicious-missing-comma): long ones go over several lines
static const char *const bodies[3][CELLS] = {
    {
        "gl_FragColor = texture2D(s, uv);",
        "gl_FragColor = texture2D(s, uv) + vec4(0.1);",
        "gl_FragColor = texture2D(s, uv) * k;",
        "gl_FragColor = texture2D(s, uv) * vec4(uv, 0.7, 1.0);",
        "vec4 t = texture2D(s, uv); gl_FragColor = vec4(t.rgb * t.a, 1.0);",
        "gl_FragColor = texture2D(s, uv) * texture2D(s, uv.yx);",
        "gl_FragColor = mix(texture2D(s, uv), texture2D(s, uv.yx), 0.3);",
        "gl_FragColor = mix(texture2D(s, uv), texture2D(s, uv.yx), k);",
        "gl_FragColor = mix(vec4(1.0), texture2D(s, uv), uv.x);",
        "gl_FragColor = mix(texture2D(s, uv), vec4(1.0, 0.0, 0.5, 1.0), uv.y);",
        "gl_FragColor = vec4(pow(texture2D(s, uv).rgb, vec3(2.2)), 1.0);",
        "gl_FragColor = vec4(vec3(dot(texture2D(s, uv).rgb, vec3(0.3, 0.59, 0.11))), "
        "1.0);",
        "gl_FragColor = vec4(normalize(texture2D(s, uv).rgb - 0.5) * 0.5 + 0.5, 1.0);",
        "gl_FragColor = vec4(smoothstep(0.2, 0.9, texture2D(s, uv).rgb), 1.0);",
        "gl_FragColor = vec4(fract(uv * 7.3), uv.x, 1.0);",
        "gl_FragColor = vec4(sin(uv.x * 9.0) * 0.5 + 0.5, cos(uv.y * 7.0) * 0.5 + 0.5, "
        "0.3, 1.0);",
    },
    {
        "gl_FragColor = vec4(uv * k, uv.x + uv.y, 1.0);",
        "gl_FragColor = vec4(uv * uv + uv, uv.x * uv.y - k, 1.0);",
        "vec3 n = normalize(vec3(uv - 0.5, 0.7)), l = normalize(vec3(0.3, 0.4, 0.8));\n"
        "gl_FragColor = vec4(vec3(max(dot(n, l), 0.0)), 1.0);",
        "vec3 n = normalize(vec3(uv - 0.5, k));\n"
        "gl_FragColor = vec4(reflect(vec3(k, -0.4, uv.x), n) * 0.5 + 0.5, 1.0);",
        "gl_FragColor = vec4(vec3(length(uv - 0.5)), 1.0);",
        "gl_FragColor = vec4(vec3(distance(uv, vec2(k, 0.5)) * 1.1), 1.0);",
        "float d = 0.0; for (int i = 0; i < 4; i++) d += uv.x * 0.21 + uv.y * 0.03;\n"
        "gl_FragColor = vec4(d, d * d, 1.0 - d, 1.0);",
        "float d = uv.x; if (uv.y > 0.5) d = uv.y * uv.x; else d *= 0.7;\n"
        "gl_FragColor = vec4(d, k * d, uv.y, 1.0);",
        "vec2 p = uv * 4.0; gl_FragColor = vec4(mod(p, 1.0), floor(p.x) * 0.25, 1.0);",
        "gl_FragColor = vec4(exp(-uv * 3.0), log(uv.x + 1.5), 1.0);",
        "gl_FragColor = vec4(sqrt(uv), inversesqrt(uv.x + 1.3), 1.0);",
        "gl_FragColor = vec4(asin(uv.x) * 0.6, acos(uv.y) * 0.6, uv.x, 1.0);",
        "gl_FragColor = vec4(m * vec3(uv, 0.4), 1.0);",
        "gl_FragColor = vec4(vec3(uv, 0.4) * m, 1.0);",
        "gl_FragColor = vec4(step(0.5, uv.x), clamp(uv * 1.7 - 0.3, 0.0, 1.0), 1.0);",
        "gl_FragColor = vec4(cross(vec3(uv, 0.3), vec3(0.7, k, uv.x)) * 0.5 + 0.5, "
        "1.0);",
    },
    {
        "gl_FragColor = vec4(fine * 0.7 + uv, 0.5, 1.0);",
        "gl_FragColor = vec4(fine * k, k * k, 1.0);",
        "vec3 c = texture2D(s, uv).rgb; c = c * c * (3.0 - 2.0 * c);\n"
        "gl_FragColor = vec4(c, 1.0);",
        "vec4 a = texture2D(s, uv) * 0.2; a += texture2D(s, uv + vec2(0.01, 0.0)) * "
        "0.3;\n"
        "a += texture2D(s, uv - vec2(0.01, 0.0)) * 0.5; gl_FragColor = a;",
        "gl_FragColor = vec4(uv.x / (uv.y + 0.6), (uv / 3.0), 1.0);",
        "gl_FragColor = -texture2D(s, uv) + 1.0;",
        "gl_FragColor = 1.0 - texture2D(s, uv);",
        "gl_FragColor = abs(texture2D(s, uv) - texture2D(s, uv.yx));",
        "gl_FragColor = max(texture2D(s, uv), vec4(uv, uv.yx)) * 0.9;",
        "gl_FragColor = texture2D(s, uv).bgra * tint;",
        "lowp vec4 c = texture2D(s, uv); lowp float g = (c.r + c.g + c.b) / 3.0;\n"
        "gl_FragColor = vec4(vec3(g), 1.0);",
        "highp vec4 c = texture2D(s, uv); gl_FragColor = c * 0.77;",
        "highp float f = uv.x * 3.0; gl_FragColor = vec4(f * 0.3, fract(f), uv.y, "
        "1.0);",
        "vec3 p[2]; p[0] = vec3(uv, k); p[1] = p[0] * 0.5 + 0.2;\n"
        "gl_FragColor = vec4(p[1] * p[0], 1.0);",
        "gl_FragColor = vec4(uv.x > 0.3 ? uv.y * 0.7 : uv.x * 1.3, uv, 1.0);",
        "gl_FragColor = texture2D(s, uv * 0.5 + 0.25) * (1.0 - length(uv - 0.5));",
    },
};
// NOLINTEND(bugprone-suspicious-missing-comma)

static const char vertex[] =
    "#version 100\n"
    "attribute vec4 place; attribute vec2 at;\n"
    "varying mediump vec2 uv; varying highp vec2 fine;\n"
    "void main() { gl_Position = place; uv = at; fine = at * 0.9; }\n";

static GLuint linked(const char *body)
{
    char fragment[1024];
    const char *texts[2] = { vertex, fragment };
    GLint ok = 0;
    GLuint program = glCreateProgram();
    snprintf(
        fragment, sizeof fragment,
        "#version 100\nprecision mediump float;\n"
        "varying mediump vec2 uv; varying highp vec2 fine;\n"
        "uniform sampler2D s; uniform float k; uniform vec4 tint; uniform mat3 m;\n"
        "void main() {\n%s\n}\n",
        body);
    for (int i = 0; i < 2; i++) {
        GLuint shader = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        glShaderSource(shader, 1, &texts[i], NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
    }
    glBindAttribLocation(program, 0, "place");
    glBindAttribLocation(program, 1, "at");
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (!ok)
        fprintf(stderr, "live_scenes: not a program: %s\n", body);
    return program;
}

static void make_texture(void)
{
    uint8_t texels[8 * 8 * 4];
    uint32_t seed = 11;
    GLuint texture;
    for (size_t i = 0; i < sizeof texels; i++) {
        seed = seed * 1664525 + 1013904223;
        texels[i] = (uint8_t)(seed >> 24);
    }
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
}

static void cell(int i)
{
    static const float corners[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
    const int column = i % COLUMNS, row = i / COLUMNS;
    const float x = (float)column * 0.5f - 1, y = (float)row * 0.5f - 1;
    glBegin(GL_QUADS);
    for (int c = 0; c < 4; c++) {
        glVertexAttrib2f(1, corners[c][0] * 0.93f + 0.031f,
                         corners[c][1] * 0.91f + 0.043f);
        glVertexAttrib4f(0, x + corners[c][0] * 0.49f, y + corners[c][1] * 0.49f, 0, 1);
    }
    glEnd();
}

void scene_medium(int frame)
{
    static const GLfloat matrix[] = { 0.83f, -0.31f, 0.47f, 0.29f, 0.91f,
                                      0.13f, -0.53f, 0.17f, 0.77f };
    glClearColor(0.1f, 0.1f, 0.2f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    make_texture();
    for (int i = 0; i < CELLS; i++) {
        const GLuint program = linked(bodies[frame % 3][i]);
        glUseProgram(program);
        glUniform1f(glGetUniformLocation(program, "k"), 0.37f);
        glUniform4f(glGetUniformLocation(program, "tint"), 0.9f, 0.71f, 0.43f, 1);
        glUniformMatrix3fv(glGetUniformLocation(program, "m"), 1, GL_FALSE, matrix);
        cell(i);
    }
    glUseProgram(0);
}
