package io.persist.matrix.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.file.disk.DirectoryStorage;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.read.Tailer;
import io.persist.matrix.Effort;
import io.persist.matrix.Entries;
import io.persist.matrix.Exercise;
import io.persist.matrix.Life;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.store.StoreConfig;
import io.persist.store.transaction.Transaction;
import io.persist.support.ChildJvm;
import io.persist.support.Records;
import io.persist.support.ScratchDirectory;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Somebody cuts a file that another process has mapped, at each of its pages in turn: while that reads it, recovers it,
 * or gets values from it. It gets an exception that it can catch, reads everything else, and lives on.
 */
public final class CutUnderMapping implements Exercise {

    static final int PAGE = 4096;
    static final int PAGES = 8;
    static final int SEGMENT_LENGTH = PAGES * PAGE;

    /** Several frames to a page, so that most of them lie over no border, and several do. */
    private static final int ENTRIES = 900;

    /** The first release with long support whose compiled code tells of a missing page where it was missed. */
    private static final int FIRST_WITHOUT_LATE_ERRORS = 21;

    /** With earlier ones the error may come when the reader has returned, and then nobody can turn it into another. */
    private static final List<String> READ_FAILURES = Runtime.version().feature() >= FIRST_WITHOUT_LATE_ERRORS
            ? List.of("LogIOException", "CorruptLogException")
            : List.of("LogIOException", "CorruptLogException", "InternalError");

    @Override
    public Row row() {
        return Row.READ_ERROR;
    }

    @Override
    public List<Subject> subjects() {
        return List.of(Subject.named("message-mapped-attached"), Subject.named("store-mapped-attached"));
    }

    @Override
    public void run(Subject subject, Effort effort) throws Exception {
        try (ScratchDirectory scratch = ScratchDirectory.create();
                ChildJvm child = ChildJvm.start(MappingReader.class, subject.name())) {
            Cutting cutting = new Cutting(subject, child, scratch.path());
            int step = effort.times(PAGES / 2, 1);
            effort.random(1, 1, PAGES, (random, most) -> {
                for (int page = random.nextInt(step); page < most; page += step) {
                    cutting.tail(page);
                    cutting.open(page);
                    if (subject.logger() == Subject.Logger.STORE) {
                        cutting.get(page);
                    }
                    effort.tried(3);
                }
            });
            assertThat(child.awaitEnd()).as("the exit code").isZero();
        }
    }

    /** A child and the logs for it. */
    private static final class Cutting {

        private final Subject subject;
        private final ChildJvm child;
        private final Path directory;
        private final Entries entries = new Entries();
        private int copies;

        Cutting(Subject subject, ChildJvm child, Path directory) throws IOException {
            this.subject = subject;
            this.child = child;
            this.directory = directory;
            CrashableStorage storage = new CrashableStorage();
            Life life = subject.open(storage, SEGMENT_LENGTH);
            while (entries.last() < ENTRIES) {
                life.append(entries, entries.add(1));
            }
            life.commit(Durability.SYNCED);
            CrashableStorage left = storage.afterKill();
            Ended.close(life);
            Path killed = Files.createDirectory(directory.resolve("killed"));
            for (String name : left.list()) {
                Files.write(killed.resolve(name), left.content(name));
            }
        }

        private Path copy() throws IOException {
            Path copy = Files.createDirectory(directory.resolve("copy-" + copies++));
            try (Stream<Path> files = Files.list(directory.resolve("killed"))) {
                for (Path file : files.toList()) {
                    Files.copy(file, copy.resolve(file.getFileName()));
                }
            }
            return copy;
        }

        /** The number of the records of a log that begin in {@code [from, to)} and end there. */
        private int records(Path log, long from, long to) throws IOException {
            int count = 0;
            try (Tailer tailer = subject.tailer(DirectoryStorage.open(log))) {
                while (tailer.next()) {
                    count += tailer.position() >= from && tailer.nextPosition() <= to ? 1 : 0;
                }
            }
            return count;
        }

        /** Has the child do something, cuts {@code file} in its midst, and returns the words of the child's answer. */
        private String[] cut(Path file, int page, String what) throws IOException {
            String answer = child.ask(what);
            if (MappingReader.MAPPED.equals(answer)) {
                truncate(file, page);
                answer = child.ask("go on");
            }
            assertThat(answer)
                    .as("what the other process says; nothing if it has died")
                    .isNotNull();
            return answer.split(" ");
        }

        private static void truncate(Path file, int page) throws IOException {
            try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
                opened.setLength((long) page * PAGE);
            }
        }

        void tail(int page) throws IOException {
            Path log = copy();
            long base = SEGMENT_LENGTH;
            long next = base + SEGMENT_LENGTH;
            int before = records(log, base, base + (long) page * PAGE);
            int after = records(log, next, Long.MAX_VALUE);
            String what = "tail " + log + " " + (base + SegmentHeader.LENGTH) + " " + (next + SegmentHeader.LENGTH);
            String[] answer = cut(log.resolve(LogFileName.segment(base)), page, what);
            assertThat(answer[0]).as("reading, page %d", page).isIn(READ_FAILURES);
            // The child has read the first one already.
            assertThat(Integer.parseInt(answer[1]))
                    .as("records before page %d", page)
                    .isEqualTo(Math.max(1, before));
            assertThat(answer[2] + " " + answer[3]).as("records behind").isEqualTo("END " + after);
        }

        /**
         * The last segment with records is the one that recovery scans. Once the file is what it was, all of the log
         * is there: nothing was taken for a torn tail.
         */
        void open(int page) throws IOException {
            List<String> answers = new ArrayList<>();
            for (int nth = 1; ; nth++) {
                Path log = copy();
                long base = lastBase(log);
                String file = LogFileName.segment(base);
                String first = child.ask("open " + log + " " + file + " " + nth);
                if (!MappingReader.MAPPED.equals(first)) {
                    assertThat(first).as("opening without a cut").isEqualTo("OPENED");
                    answers.removeIf(READ_FAILURES::contains);
                    // The last mapping may be the writer's, which stores nothing before somebody appends.
                    assertThat(answers)
                            .as("opening, page %d", page)
                            .isSubsetOf("OPENED")
                            .hasSizeLessThan(2);
                    assertThat(nth).as("mappings of the last segment").isGreaterThan(3);
                    return;
                }
                truncate(log.resolve(file), page);
                answers.add(String.valueOf(child.ask("go on")));
                Path whole = directory.resolve("killed").resolve(file);
                Files.copy(whole, log.resolve(file), StandardCopyOption.REPLACE_EXISTING);
                try (Life life = subject.open(DirectoryStorage.open(log), SEGMENT_LENGTH)) {
                    assertThat(life.verify(entries))
                            .as("after opening, mapping %d, page %d", nth, page)
                            .isEqualTo(entries.last());
                }
            }
        }

        private long lastBase(Path log) throws IOException {
            try (Tailer tailer = subject.tailer(DirectoryStorage.open(log))) {
                tailer.toEnd();
                return tailer.position() / SEGMENT_LENGTH * SEGMENT_LENGTH;
            }
        }

        void get(int page) throws IOException {
            Path store = directory.resolve("store-" + copies++);
            LogConfig log =
                    LogConfig.builder(store).segmentLength(SEGMENT_LENGTH).build();
            try (StoreLogger logger =
                    StoreLogger.open(StoreConfig.builder(log).maxSpaceRatio(0).build())) {
                for (int i = 0; i < MappingReader.KEYS; i++) {
                    try (Transaction transaction = logger.begin()) {
                        transaction.put(MappingReader.key(i), Records.of(i));
                        transaction.commit(Durability.BUFFERED);
                    }
                }
            }
            long base = SEGMENT_LENGTH;
            int gone = MappingReader.KEYS
                    - records(store, 0, base + (long) page * PAGE)
                    - records(store, base + SEGMENT_LENGTH, Long.MAX_VALUE);
            String[] answer = cut(store.resolve(LogFileName.segment(base)), page, "get " + store);
            assertThat(answer[0]).isEqualTo("END");
            int found = Integer.parseInt(answer[1]);
            assertThat(found + Integer.parseInt(answer[2]))
                    .as("found or refused")
                    .isEqualTo(MappingReader.KEYS);
            assertThat(found).as("found, page %d", page).isBetween(MappingReader.KEYS - gone, MappingReader.KEYS - 1);
        }
    }
}
