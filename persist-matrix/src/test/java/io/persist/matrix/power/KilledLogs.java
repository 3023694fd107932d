package io.persist.matrix.power;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.ReadMode;
import io.persist.matrix.Subject;
import io.persist.support.ChildJvm;
import io.persist.support.ScratchDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Many logs that one JVM writes at the same time until it is killed: to start it costs more than all that it does. */
final class KilledLogs implements AutoCloseable {

    /** No JVM is let live longer than for so many lines, to the power of 2. */
    private static final int MOST_LINE_BITS = 13;

    private final ScratchDirectory scratch = ScratchDirectory.create();
    private final List<KilledLog> logs = new ArrayList<>();
    private final Random random;
    private boolean isRead;

    /** {@code each} logs of each subject. */
    KilledLogs(List<Subject> subjects, int each, Random random) throws IOException {
        this.random = random;
        for (Subject subject : subjects) {
            for (int i = 0; i < each; i++) {
                logs.add(new KilledLog(logs.size(), scratch.path().resolve("log" + logs.size()), subject));
            }
        }
    }

    /** From now on readers of this JVM follow all logs, whatever happens to their writers. */
    KilledLogs read() throws IOException {
        isRead = true;
        for (KilledLog log : logs) {
            log.follow(ReadMode.values()[random.nextInt(ReadMode.values().length)]);
        }
        return this;
    }

    int size() {
        return logs.size();
    }

    /** A JVM writes, and dies at a random moment; then all logs are checked. */
    void liveAndDie() throws Exception {
        Reading reading = new Reading();
        if (isRead) {
            reading.start();
        }
        try {
            writeUntilKilled(random.nextInt(1 << 1 + random.nextInt(MOST_LINE_BITS)));
        } finally {
            reading.end();
        }
        for (KilledLog log : logs) {
            log.checkCopy();
        }
    }

    private void writeUntilKilled(int lines) throws IOException, InterruptedException {
        try (ChildJvm child = ChildJvm.startBriefly(KilledWriter.class)) {
            logs.forEach(log -> child.tell(log.task(random).format()));
            child.tell("");
            int heard = 0;
            for (String line = child.hear(); line != null; line = child.hear()) {
                if (line.endsWith(KilledWriter.END)) { // the last line may be torn
                    String[] words = line.split(" ");
                    logs.get(Integer.parseInt(words[0]))
                            .hear(words[1], Long.parseLong(words[2]), Long.parseLong(words[3]));
                }
                if (heard++ == lines) {
                    child.kill(); // what it has said by then is still to be heard
                }
            }
            assertThat(heard).as("the writer did not die by itself").isGreaterThan(lines);
        }
    }

    /** Each log is recovered once more, and looked at to its end. */
    void checkAtLast() throws IOException {
        for (KilledLog log : logs) {
            log.checkAtLast();
        }
    }

    @Override
    public void close() throws IOException {
        logs.forEach(KilledLog::close);
        scratch.close();
    }

    /** Reads all logs in turn until it is told to end. */
    private final class Reading extends Thread {

        private volatile boolean isOver;
        private volatile Throwable wrong;

        @Override
        public void run() {
            try {
                while (!isOver) {
                    logs.forEach(KilledLog::readOn);
                }
            } catch (Throwable failure) {
                wrong = failure;
            }
        }

        void end() throws InterruptedException {
            isOver = true;
            join();
            if (wrong != null) {
                throw new AssertionError("a reader: " + wrong, wrong);
            }
        }
    }
}
