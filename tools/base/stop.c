#define _POSIX_C_SOURCE 200809L
#include "tools/base/stop.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/wait.h>

#include "resources/base/temporary.h"

// How long a child may take to remove what it has half made.
#define PATIENCE_STEPS 100
#define STEP_MS 10

static volatile sig_atomic_t children[GV_STOP_CHILDREN]; // 0: none

static void tell_all(int signal_number)
{
    for (size_t i = 0; i < GV_STOP_CHILDREN; i++)
        if (children[i])
            kill(children[i], signal_number);
}

// Whether all have ended, or somebody saw them end.
static bool have_ended(void)
{
    bool ended = true;
    for (size_t i = 0; i < GV_STOP_CHILDREN; i++) {
        if (children[i] && waitpid(children[i], NULL, WNOHANG) != 0)
            children[i] = 0;
        ended = ended && !children[i];
    }
    return ended;
}

static void end_children(void)
{
    tell_all(SIGCONT); // or paused ones would not hear
    tell_all(SIGTERM);
    for (int i = 0; i < PATIENCE_STEPS && !have_ended(); i++)
        poll(NULL, 0, STEP_MS);
    tell_all(SIGKILL);
}

static void on_end(int signal_number)
{
    end_children();
    gv_temporary_remove_all();
    signal(signal_number, SIG_DFL);
    raise(signal_number); // acts when this handler returns
}

static void on_pause(int signal_number)
{
    int kept = errno;
    (void)signal_number;
    tell_all(SIGSTOP);
    raise(SIGSTOP); // and here it goes on
    tell_all(SIGCONT);
    errno = kept;
}

static void catch (int signal_number, void (*handler)(int))
{
    struct sigaction action;
    if (sigaction(signal_number, NULL, &action) != 0 || action.sa_handler == SIG_IGN)
        return;
    action = (struct sigaction){ .sa_handler = handler, .sa_flags = SA_RESTART };
    sigfillset(&action.sa_mask);
    sigaction(signal_number, &action, NULL);
}

void gv_stop_catch(void)
{
    // All that end a process and come from outside.
    static const int ends[] = { SIGINT,  SIGTERM, SIGHUP,    SIGQUIT, SIGXCPU, SIGALRM,
                                SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGPOLL };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        catch (ends[i], on_end);
    catch (SIGTSTP, on_pause);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

static void exchange(pid_t from, pid_t to)
{
    for (size_t i = 0; i < GV_STOP_CHILDREN; i++)
        if (children[i] == from) {
            children[i] = to;
            return;
        }
}

void gv_stop_with_child(pid_t child)
{
    exchange(0, child);
}

void gv_stop_without_child(pid_t child)
{
    exchange(child, 0);
}
