package io.persist.matrix.fault;

import io.persist.MessageLogger;
import io.persist.error.PersistException;
import io.persist.file.disk.DirectoryStorage;
import io.persist.format.LogFileName;
import io.persist.log.Claim;
import io.persist.log.Durability;
import io.persist.matrix.Entries;
import io.persist.matrix.Life;
import io.persist.matrix.Subject;
import io.persist.memory.MissingPage;
import io.persist.support.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Another process that writes logs whose files are cut under its mappings. It writes a log as a line says, answers
 * {@value MappingReader#MAPPED}, waits for a line, and then writes on and answers what came of it.
 */
final class MappingWriter {

    /** In place of the name of a file: the segment that is being written. */
    static final String CURRENT = "current";

    /** So many entries are written before the cut, so that compiled code is met, and at most so many in all. */
    private static final int ENTRIES_BEFORE = 10_000;

    static final int MOST_ENTRIES = 50_000;

    private static final int SEGMENT_LENGTH = 1 << 20;
    private static final int ENTRIES_PER_SYNC = 500;

    private static final int WRITERS = 3;

    private static final BufferedReader questions = ChildJvm.questions();

    /** How entries are appended. */
    enum Way {
        ARRAY,
        BUFFER,
        CLAIM
    }

    private MappingWriter() {}

    static Life open(Subject subject, Path log) throws IOException {
        return subject.open(DirectoryStorage.open(log), SEGMENT_LENGTH);
    }

    public static void main(String[] args) throws Exception {
        Subject subject = Subject.named(args[0]);
        for (String line = questions.readLine(); line != null; line = questions.readLine()) {
            String[] words = line.split(" ");
            Path directory = Path.of(words[2]);
            if (words[0].equals("threads")) {
                System.out.println(threads(subject, directory));
                continue;
            }
            MessageLogger logger = MessageLogger.open(
                    subject.configuring(directory).segmentLength(SEGMENT_LENGTH).build());
            System.out.println(write(logger, Way.valueOf(words[1])));
        }
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private static String write(MessageLogger logger, Way way) throws IOException {
        Entries entries = new Entries();
        ByteBuffer direct = ByteBuffer.allocateDirect(1 << 10);
        while (entries.last() < ENTRIES_BEFORE) {
            append(logger, way, entries, direct);
        }
        logger.commit(Durability.SYNCED);
        long base = logger.position() / SEGMENT_LENGTH * SEGMENT_LENGTH;
        System.out.println(MappingReader.MAPPED + " " + entries.last() + " " + LogFileName.segment(base) + " "
                + (logger.position() - base));
        questions.readLine();
        String first = outcome(() -> {
            while (entries.last() < MOST_ENTRIES) {
                append(logger, way, entries, direct);
                if (entries.last() % ENTRIES_PER_SYNC == 0) {
                    logger.commit(Durability.SYNCED);
                }
            }
        });
        String second = outcome(() -> logger.commit(Durability.SYNCED));
        return first + " " + second + " " + outcome(logger::close);
    }

    /** Several threads, which write and sync until they are told that it is over; then the log is closed. */
    private static String threads(Subject subject, Path directory) throws Exception {
        Life life = open(subject, Files.createDirectories(directory));
        Entries entries = new Entries();
        while (entries.last() < ENTRIES_BEFORE) {
            life.append(entries, entries.add(1));
        }
        life.commit(Durability.SYNCED);
        long base = life.flushedPosition() / SEGMENT_LENGTH * SEGMENT_LENGTH;
        System.out.println(MappingReader.MAPPED + " " + entries.last() + " " + LogFileName.segment(base));
        questions.readLine();
        Queue<String> outcomes = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            Entries own = new Entries();
            threads.add(new Thread(() -> outcomes.add(outcome(() -> {
                while (true) {
                    life.append(own, own.add(1));
                    if (own.last() % ENTRIES_PER_SYNC == 0) {
                        life.commit(Durability.SYNCED);
                    }
                }
            }))));
        }
        threads.add(new Thread(() -> outcomes.add(outcome(() -> {
            while (true) {
                life.await(life.flushedPosition(), Durability.SYNCED, Duration.ofSeconds(1));
            }
        }))));
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        outcomes.add(outcome(life::close));
        return String.join(" ", outcomes);
    }

    private static void append(MessageLogger logger, Way way, Entries entries, ByteBuffer direct) {
        byte[] bytes = entries.bytes(entries.add(1));
        switch (way) {
            case ARRAY -> logger.append(bytes);
            case BUFFER -> logger.append(direct.clear().put(0, bytes).limit(bytes.length));
            case CLAIM -> {
                Claim claim = logger.claim(bytes.length);
                try {
                    claim.payload().put(bytes);
                    claim.publish();
                } finally {
                    claim.abort(); // if an error came late, in this code; else it does nothing
                }
            }
        }
    }

    private static String outcome(Work work) {
        try {
            work.run();
            MissingPage.check(); // what comes late belongs to this
            return "END";
        } catch (Throwable failed) {
            MissingPage.dropHeld(); // one more may be held back
            if (!(failed instanceof PersistException || failed instanceof InternalError)) {
                failed.printStackTrace(); // to tell where, if the parent finds it wrong
            }
            return failed.getClass().getSimpleName();
        }
    }
}
