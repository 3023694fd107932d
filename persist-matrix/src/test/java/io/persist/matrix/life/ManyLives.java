package io.persist.matrix.life;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.LogMonitor;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.log.Durability;
import io.persist.log.read.Tailer;
import io.persist.matrix.Effort;
import io.persist.matrix.Entries;
import io.persist.matrix.Exercise;
import io.persist.matrix.Life;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.support.ChildJvm;
import io.persist.support.OwnThreads;
import io.persist.support.Resources;
import io.persist.support.ScratchDirectory;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A log is opened, used and closed again and again: no descriptor, mapping, thread or temporary file stays. At night a
 * process that does nothing else has its memory measured.
 */
public final class ManyLives implements Exercise {

    /** Some three hundred for all subjects. */
    private static final int LIVES_OF_A_BUILD = 26;

    /** A thousand for all subjects. */
    private static final int LIVES = 84;

    private static final int LIVES_BETWEEN_LOOKS = 12;
    private static final int LIVES_PER_ROUND = 2000;
    private static final int MAX_ROUNDS = 8;

    /** In one round; what a leak of 500 bytes for each life would make. */
    private static final long MAX_GROWTH_BYTES = 1_000_000;

    @Override
    public Row row() {
        return Row.MANY_LIVES;
    }

    @Override
    public void run(Subject subject, Effort effort) throws Exception {
        effort.random(
                1,
                10,
                effort.times(LIVES_OF_A_BUILD, LIVES),
                (random, lives) -> OwnThreads.run(() -> {
                    try (ScratchDirectory scratch = ScratchDirectory.create()) {
                        Entries entries = new Entries();
                        for (int life = 1; life <= lives; life++) {
                            live(subject, scratch.path(), entries, life);
                            assertThat(OwnThreads.others())
                                    .as("threads after life %d", life)
                                    .isEmpty();
                            if (life % LIVES_BETWEEN_LOOKS == 0 || life == lives) {
                                assertThat(Resources.of(scratch.path()))
                                        .as("life %d", life)
                                        .isEqualTo(Resources.NONE);
                            }
                        }
                        effort.tried(lives - 1);
                    }
                }));
        if (effort.isNightly()) {
            effort.tried(measure(subject));
        }
    }

    /** A life that touches what loggers open: segments that roll, readers, retention or a checkpoint. */
    private static void live(Subject subject, Path directory, Entries entries, int life) throws IOException {
        Storage storage = DirectoryStorage.open(directory);
        try (Life open = subject.open(storage)) {
            for (int i = 0; i < 30; i++) {
                open.append(entries, entries.add(life));
            }
            open.commit(Durability.values()[life % 3]);
            open.commit(Durability.FLUSHED);
            try (Tailer other = subject.tailer(storage)) {
                other.toEnd();
                assertThat(other.next()).isFalse();
            }
            LogMonitor.open(directory).read();
            if (life % 4 == 0) {
                open.upkeep(entries);
                assertThat(open.verify(entries)).isEqualTo(entries.last());
            }
        }
    }

    /**
     * What is lost grows with each round; what the JVM and its allocator take for themselves does so at times only.
     *
     * @return how many lives it took
     */
    private static int measure(Subject subject) throws IOException {
        List<String> command = new ArrayList<>(ChildJvm.command(Measured.class, subject.name()));
        // A heap that neither grows nor is touched for the first time while it is measured.
        command.addAll(1, List.of("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC"));
        List<Long> residentBytes = new ArrayList<>();
        try (ScratchDirectory scratch = ScratchDirectory.create();
                ChildJvm child = ChildJvm.run(command)) {
            long growth = Long.MAX_VALUE;
            while (growth > MAX_GROWTH_BYTES && residentBytes.size() <= MAX_ROUNDS) {
                residentBytes.add(Long.parseLong(child.ask(LIVES_PER_ROUND + " " + scratch.path())));
                int last = residentBytes.size() - 1;
                growth = last == 0 ? growth : residentBytes.get(last) - residentBytes.get(last - 1);
            }
            System.out.println(subject + ": bytes of RSS after each " + LIVES_PER_ROUND + " lives: " + residentBytes);
            assertThat(growth).as("bytes of RSS more, %s", residentBytes).isLessThanOrEqualTo(MAX_GROWTH_BYTES);
        }
        return residentBytes.size() * LIVES_PER_ROUND;
    }

    /** Lives as often as it is told, and answers with the memory that it then has. */
    static final class Measured {

        public static void main(String[] arguments) throws IOException {
            Subject subject = Subject.named(arguments[0]);
            BufferedReader questions = ChildJvm.questions();
            for (String line = questions.readLine(); line != null; line = questions.readLine()) {
                int lives = Integer.parseInt(line.substring(0, line.indexOf(' ')));
                Path path = Path.of(line.substring(line.indexOf(' ') + 1));
                for (int done = 0; done < lives; done += LIVES) {
                    Path directory = Files.createDirectory(path.resolve(lives + "-" + System.nanoTime()));
                    Entries entries = new Entries();
                    for (int life = 1; life <= LIVES; life++) {
                        live(subject, directory, entries, life);
                    }
                }
                System.gc();
                System.out.println(residentBytes());
            }
        }

        private static long residentBytes() throws IOException {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("RssAnon:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                    .findFirst()
                    .orElseThrow();
        }
    }
}
