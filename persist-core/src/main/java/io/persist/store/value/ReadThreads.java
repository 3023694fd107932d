package io.persist.store.value;

import io.persist.log.thread.LogThread;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A few threads that help to read from the device, which answers many questions at once sooner than one after the
 * other. They are started when they are needed, and end when they have not been for a second.
 *
 * <p><b>Threads:</b> any.
 */
final class ReadThreads implements AutoCloseable {

    /** With the thread that asks for help 8: most devices gain little by more. */
    static final int MOST = 7;

    private final ThreadFactory maker;
    private final List<Thread> started = new ArrayList<>();
    private @Nullable ThreadPoolExecutor threads;
    private boolean closed;

    ReadThreads(String name) {
        this(body -> new Thread(body, name));
    }

    /** Threads that {@code maker} makes, which does not start them. */
    ReadThreads(ThreadFactory maker) {
        this.maker = maker;
    }

    /** Has up to {@code helpers} threads run {@code work}, at once or never. */
    synchronized void help(Runnable work, int helpers) {
        if (closed) {
            return;
        }
        if (threads == null) {
            threads = new ThreadPoolExecutor(0, MOST, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), this::thread);
        }
        try {
            for (int i = 0; i < Math.min(helpers, MOST); i++) {
                threads.execute(work);
            }
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            // Those that were asked, or the caller alone, do it all.
        } finally {
            forgetUnstarted();
        }
    }

    /** With the lock held: it is {@link #help} that has threads made. */
    private Thread thread(Runnable body) {
        Thread thread = maker.newThread(body);
        thread.setDaemon(true);
        started.removeIf(one -> one.getState() == Thread.State.TERMINATED);
        started.add(thread);
        return thread;
    }

    /** The last one, if there was no memory to start it: else it would keep its work as long as this is open. */
    private void forgetUnstarted() {
        int last = started.size() - 1;
        if (last >= 0 && started.get(last).getState() == Thread.State.NEW) {
            started.remove(last);
        }
    }

    /** Ends the threads, and returns when they have ended. */
    @Override
    public void close() {
        end().forEach(LogThread::join);
    }

    private synchronized List<Thread> end() {
        closed = true;
        if (threads != null) {
            threads.shutdown();
        }
        return started;
    }
}
