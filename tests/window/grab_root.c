// Saves what a display shows as bare rows, RGBA with an alpha of 255, from the top:
//   grab_root FILE [X Y WIDTH HEIGHT]      DISPLAY says which
// prints its size.
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <stdio.h>
#include <stdlib.h>

static void write_rows(XImage *image, FILE *to)
{
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++) {
            const unsigned long pixel = XGetPixel(image, x, y);
            fputc((int)(pixel >> 16 & 255), to);
            fputc((int)(pixel >> 8 & 255), to);
            fputc((int)(pixel & 255), to);
            fputc(255, to);
        }
}

int main(int argc, char **argv)
{
    Display *display = argc == 2 || argc == 6 ? XOpenDisplay(NULL) : NULL;
    if (!display) {
        fprintf(stderr, "usage: grab_root FILE [X Y WIDTH HEIGHT], with a display\n");
        return 2;
    }
    XWindowAttributes root;
    XGetWindowAttributes(display, DefaultRootWindow(display), &root);
    int area[] = { 0, 0, root.width, root.height };
    for (int i = 2; i < argc; i++)
        area[i - 2] = atoi(argv[i]);
    XImage *image = XGetImage(display, DefaultRootWindow(display), area[0], area[1],
                              (unsigned)area[2], (unsigned)area[3], AllPlanes, ZPixmap);
    FILE *to = fopen(argv[1], "wb");
    if (!image || !to)
        return 1;
    write_rows(image, to);
    printf("%dx%d\n", image->width, image->height);
    XDestroyImage(image);
    XCloseDisplay(display);
    return fclose(to) ? 1 : 0;
}
