package io.persist.matrix.power;

import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.log.Durability;
import io.persist.matrix.Entries;
import io.persist.matrix.Subject;
import io.persist.matrix.Work;
import io.persist.support.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The main class of a JVM that is to be killed: many logs, each of which lives again and again on a thread of its own,
 * and says so. Reads a line for each log, then an empty one. A line that it writes is a log, a word, and two numbers:
 * OPENED with the life and the last entry that was found, before anything is appended; or a level, and the last entry
 * that is safe at it. It ends with {@value #END}.
 */
final class KilledWriter {

    static final String OPENED = "OPENED";
    static final String FAILED = "FAILED";
    static final String END = ";";

    /** What a JVM is told of a log: where it is, and what there is before it. */
    record Task(int log, Path directory, Subject subject, int lastLife, Entries entries, long seed) {

        String format() {
            return String.join(
                    " ",
                    Integer.toString(log),
                    directory.toString(),
                    subject.name(),
                    Integer.toString(lastLife),
                    Long.toString(seed),
                    entries.format());
        }

        static Task parse(String line) {
            String[] words = line.split(" ", -1);
            return new Task(
                    Integer.parseInt(words[0]),
                    Path.of(words[1]),
                    Subject.named(words[2]),
                    Integer.parseInt(words[3]),
                    Entries.parse(words[5]),
                    Long.parseLong(words[4]));
        }
    }

    private final Task task;
    private final PrintStream out;

    private KilledWriter(Task task, PrintStream out) {
        this.task = task;
        this.out = out;
    }

    public static void main(String[] arguments) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
        BufferedReader in = ChildJvm.questions();
        List<Thread> threads = new ArrayList<>();
        for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
            threads.add(new Thread(new KilledWriter(Task.parse(line), out)::live));
        }
        threads.forEach(Thread::start);
        while (in.readLine() != null) {
            // Nobody tells anything more: it is over when the one who started this is.
        }
        Runtime.getRuntime().halt(0);
    }

    private void live() {
        try {
            Work work = new Work(task.subject, new Random(task.seed))
                    .after(task.lastLife, task.entries)
                    .watchedBy(new Teller());
            Storage storage = DirectoryStorage.open(task.directory);
            while (true) {
                work.run(storage);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } finally {
            tell(FAILED, 0, 0);
        }
    }

    private void tell(String word, long first, long second) {
        out.print(task.log + " " + word + " " + first + " " + second + " " + END + "\n");
    }

    private final class Teller implements Work.Witness {

        @Override
        public void opened(int life, long last) {
            tell(OPENED, life, last);
        }

        @Override
        public void acknowledged(Durability level, long last) {
            tell(level.name(), last, 0);
        }
    }
}
