package io.persist.peers.trial.read;

import io.persist.peers.engine.Engine;
import io.persist.peers.engine.Producer;
import io.persist.peers.trial.Limits;
import io.persist.peers.trial.Logs;
import io.persist.peers.trial.Mode;
import io.persist.peers.trial.Trial;
import io.persist.peers.trial.load.AppendLoop;
import io.persist.peers.trial.process.ChildMain;
import io.persist.peers.trial.process.ParentWatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The main class of the process that writes the log which a trial opens. It says on standard output when the log is
 * long enough. Then it closes the log, or goes on appending slowly until it is killed.
 */
final class LogFiller {

    /** The start of that line; the number of messages follows. */
    static final String READY = "persist-peers: filled ";

    /** More than most recoveries read, at 256 bytes; after that it only waits. */
    private static final int MAX_MORE = 100_000;

    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(10);

    private LogFiller() {}

    public static void main(String[] args) {
        ParentWatch.start();
        System.exit(ChildMain.exitCode(() -> run(Trial.load(Path.of(args[0])))));
    }

    private static void run(Trial trial) throws IOException, InterruptedException {
        boolean killed = trial.mode() == Mode.REOPEN_KILLED;
        Logs logs = new Logs(trial);
        try (Engine engine = logs.create(Reopening.LOG, trial.messages() + (killed ? MAX_MORE : 0))) {
            try (Producer producer = engine.producer()) {
                AppendLoop loop = new AppendLoop(producer, trial.mode());
                long count = loop.run(trial.limits());
                engine.drain();
                System.out.println(READY + count);
                if (killed) {
                    goOn(loop);
                }
            }
        }
    }

    private static void goOn(AppendLoop loop) throws IOException, InterruptedException {
        Limits one = Limits.of(1, 1);
        for (int i = 0; i < MAX_MORE; i++) {
            loop.run(one);
            LockSupport.parkNanos(PAUSE_NS);
        }
        Thread.currentThread().join(); // until it is killed, or its parent has ended
    }
}
