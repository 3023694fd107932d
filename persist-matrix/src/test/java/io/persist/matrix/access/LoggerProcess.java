package io.persist.matrix.access;

import io.persist.error.PersistException;
import io.persist.log.Durability;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import io.persist.matrix.Entries;
import io.persist.matrix.Life;
import io.persist.matrix.Subject;
import io.persist.support.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;

/** Another process, which opens, reads and closes a log when told, and answers each line with one. */
final class LoggerProcess {

    static final String OPEN = "open";
    static final String CLOSE = "close";
    static final String READ = "read";

    /** The life that all entries are of, whichever process appends them. */
    private static final int LIFE = 1;

    private final Subject subject;
    private final Path directory;
    private final Entries entries = new Entries();
    private AutoCloseable opened = () -> {};

    private LoggerProcess(Subject subject, Path directory) {
        this.subject = subject;
        this.directory = directory;
    }

    public static void main(String[] arguments) throws IOException {
        LoggerProcess process = new LoggerProcess(Subject.named(arguments[0]), Path.of(arguments[1]));
        BufferedReader questions = ChildJvm.questions();
        for (String line = questions.readLine(); line != null; line = questions.readLine()) {
            System.out.println(process.answer(line.split(" ")));
        }
    }

    private String answer(String[] question) {
        try {
            return switch (question[0]) {
                case OPEN -> open(Long.parseLong(question[1]));
                case CLOSE -> close();
                case READ -> read();
                default -> "what is " + question[0] + "?";
            };
        } catch (PersistException e) {
            return e.getClass().getSimpleName() + " " + oneLine(e);
        } catch (Throwable e) {
            return "not typed: " + oneLine(e);
        }
    }

    private static String oneLine(Throwable e) {
        return e.toString().replace('\n', ' ');
    }

    /** Opens the log and appends entry {@code number}; nothing if it is 0. */
    private String open(long number) throws IOException {
        if (number == 0) {
            opened = Opening.open(subject, directory);
            return OPEN;
        }
        Life life = subject.open(directory);
        opened = life;
        append(life, entries, number);
        return OPEN;
    }

    /** Appends entry {@code number}, which survives the process then. */
    static void append(Life life, Entries entries, long number) {
        fill(entries, number);
        life.append(entries, number);
        life.commit(Durability.FLUSHED);
    }

    /** Entries up to {@code number}. */
    static void fill(Entries entries, long number) {
        while (entries.last() < number) {
            entries.add(LIFE);
        }
    }

    private String close() throws Exception {
        opened.close();
        return CLOSE;
    }

    private String read() {
        long records = 0;
        try (Tailer tailer = Tailer.open(
                subject.config(directory).directory(),
                TailerConfig.builder().content(subject.logger().content()).build())) {
            while (tailer.next()) {
                records++;
            }
        }
        return String.valueOf(records);
    }
}
