#define _POSIX_C_SOURCE 200809L
#include "tools/base/stop.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>

#include "resources/base/temporary.h"

// How long a child may take to remove what it has half made.
#define PATIENCE_STEPS 100
#define STEP_MS 10

static volatile sig_atomic_t the_child;

static void end_child(pid_t child)
{
    kill(child, SIGCONT); // or a paused one would not hear
    kill(child, SIGTERM);
    for (int i = 0; i < PATIENCE_STEPS; i++) {
        if (waitpid(child, NULL, WNOHANG) != 0) // it has ended, or somebody saw it end
            return;
        poll(NULL, 0, STEP_MS);
    }
    kill(child, SIGKILL);
}

static void on_end(int signal_number)
{
    if (the_child)
        end_child(the_child);
    gv_temporary_remove_all();
    signal(signal_number, SIG_DFL);
    raise(signal_number); // acts when this handler returns
}

static void on_pause(int signal_number)
{
    int kept = errno;
    (void)signal_number;
    if (the_child)
        kill(the_child, SIGSTOP);
    raise(SIGSTOP); // and here it goes on
    if (the_child)
        kill(the_child, SIGCONT);
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

void gv_stop_with_child(pid_t child)
{
    the_child = child;
}
