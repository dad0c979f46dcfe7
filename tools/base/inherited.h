// Descriptors that the caller left open for us, knowingly or not, beyond the three
// streams: locks, sockets, files with secrets.
#ifndef GV_INHERITED_H
#define GV_INHERITED_H

// To be called before anything is opened. Those that an argument or a variable of an
// option names (/dev/fd/N, /proc/self/fd/N) are inputs or outputs like others.
void gv_inherited_note(int argc, char **argv);

// In a child: closes the rest. The program itself keeps them: a lock may hang on one.
void gv_inherited_close(void);

#endif
