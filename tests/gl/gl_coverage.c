// What becomes of functions: each name of standard input with `lowered`, `silent` (it
// has no effect on pictures) or `missing`.
#include <stdio.h>
#include <string.h>

#include "compiler/gl/gl.h"

int main(void)
{
    static const char *const said[] = { [GV_GL_LOWERED] = "lowered",
                                        [GV_GL_QUERY] = "silent",
                                        [GV_GL_UNKNOWN] = "missing" };
    char line[256];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        printf("%s %s\n", line, said[gv_gl_lowering(line)]);
    }
    return 0;
}
