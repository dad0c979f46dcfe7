// Drops a file on a window, as file managers do (the XDND protocol, version 5):
//   drop_file WINDOW URI      DISPLAY says where
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECONDS 20 // for all of it

struct source {
    Display *display;
    Window own, target;
    const char *uri;
};

static Atom atom(const struct source *s, const char *name)
{
    return XInternAtom(s->display, name, False);
}

static void tell(const struct source *s, const char *what, const long rest[4])
{
    XEvent event = { 0 };
    event.xclient.type = ClientMessage;
    event.xclient.window = s->target;
    event.xclient.message_type = atom(s, what);
    event.xclient.format = 32;
    event.xclient.data.l[0] = (long)s->own;
    memcpy(event.xclient.data.l + 1, rest, 4 * sizeof *rest);
    XSendEvent(s->display, s->target, False, NoEventMask, &event);
    XFlush(s->display);
}

// The window asks for what is dropped.
static void hand_over(const struct source *s, const XSelectionRequestEvent *asked)
{
    char list[4096];
    const int size = snprintf(list, sizeof list, "%s\r\n", s->uri);
    XEvent event = { 0 };
    event.xselection.type = SelectionNotify;
    event.xselection.requestor = asked->requestor;
    event.xselection.selection = asked->selection;
    event.xselection.target = asked->target;
    event.xselection.property = asked->property;
    event.xselection.time = asked->time;
    XChangeProperty(s->display, asked->requestor, asked->property, asked->target, 8,
                    PropModeReplace, (const unsigned char *)list, size);
    XSendEvent(s->display, asked->requestor, False, NoEventMask, &event);
    XFlush(s->display);
}

// Goes on until the message has come: its second number.
static long await(const struct source *s, const char *what)
{
    XEvent event;
    for (;;) {
        XNextEvent(s->display, &event);
        if (event.type == SelectionRequest)
            hand_over(s, &event.xselectionrequest);
        if (event.type == ClientMessage && event.xclient.message_type == atom(s, what))
            return event.xclient.data.l[1];
    }
}

int main(int argc, char **argv)
{
    struct source s = { .display = argc == 3 ? XOpenDisplay(NULL) : NULL };
    if (!s.display) {
        fprintf(stderr, "usage: drop_file WINDOW URI, with a display\n");
        return 2;
    }
    alarm(SECONDS);
    s.target = strtoul(argv[1], NULL, 0);
    s.uri = argv[2];
    s.own = XCreateSimpleWindow(s.display, DefaultRootWindow(s.display), 0, 0, 1, 1, 0,
                                0, 0);
    XSetSelectionOwner(s.display, atom(&s, "XdndSelection"), s.own, CurrentTime);
    tell(&s, "XdndEnter", (long[]){ 5L << 24, (long)atom(&s, "text/uri-list"), 0, 0 });
    tell(&s, "XdndPosition",
         (long[]){ 0, 10L << 16 | 10, CurrentTime, (long)atom(&s, "XdndActionCopy") });
    if (!(await(&s, "XdndStatus") & 1)) {
        fprintf(stderr, "drop_file: it is not wanted\n");
        return 1;
    }
    tell(&s, "XdndDrop", (long[]){ 0, CurrentTime, 0, 0 });
    await(&s, "XdndFinished");
    XCloseDisplay(s.display);
    return 0;
}
