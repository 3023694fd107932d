package io.persist.log.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.PersistException;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.read.Tailer;
import io.persist.support.ChildJvm;
import io.persist.support.Records;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What a process is allowed: the rights of new files, and how many it may have open. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class HostileLimitsTest {

    private static final int COUNT = 500;

    @TempDir
    Path directory;

    private static ChildJvm under(String limit, Class<?> main, Path log) throws IOException {
        List<String> command = new ArrayList<>(List.of("sh", "-c", limit + " && exec \"$@\"", "sh"));
        command.addAll(ChildJvm.briefly(main, log));
        return ChildJvm.run(command);
    }

    /** The umask of the process says who may read a log; Persist neither widens nor narrows it. */
    @Test
    void shouldGiveNewFilesTheRightsOfTheUmask() throws Exception {
        for (String[] expected :
                new String[][] {{"umask 077", "rw-------", "rwx------"}, {"umask 027", "rw-r-----", "rwxr-x---"}}) {
            Path log = directory.resolve(expected[1]).resolve("log");
            try (ChildJvm writer = under(expected[0], Writer.class, log)) {
                assertThat(writer.awaitEnd()).isZero();
            }
            TreeMap<String, String> rights = new TreeMap<>();
            try (Stream<Path> all = Files.walk(directory.resolve(expected[1]))) {
                for (Path path : (Iterable<Path>) all::iterator) {
                    String right = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
                    rights.put(path.getFileName().toString(), right);
                }
            }
            assertThat(rights)
                    .containsKeys("control", "writer.lock", "cursors.lock", "reader.cursor", "reader.cursor.lock")
                    .hasSizeGreaterThan(9)
                    .allSatisfy((name, right) -> assertThat(right)
                            .as(name)
                            .isEqualTo(name.equals("log") || name.equals(expected[1]) ? expected[2] : expected[1]));
        }
    }

    static final class Writer {

        public static void main(String[] arguments) {
            LogConfig config = WriterKind.MAPPED.config(Path.of(arguments[0])).build();
            try (Log log = Log.open(config)) {
                Records.append(log, COUNT);
                log.tailer("reader").close();
                log.retire(log.planRetention(RetentionRule.below(4096)), Retirement.RECYCLE);
            }
        }
    }

    /** Whichever descriptor is the one too many, opening throws, and gives back what it had. */
    @Test
    void shouldThrowIfNoMoreFilesCanBeOpened() throws Exception {
        try (Log log = Log.open(WriterKind.MAPPED.config(directory).build())) {
            Records.append(log, COUNT);
        }
        try (ChildJvm child = under("ulimit -n 64", Hungry.class, directory)) {
            List<String> heard = new ArrayList<>();
            for (String line = child.hear(); line != null; line = child.hear()) {
                heard.add(line);
            }
            assertThat(heard).contains("refused").endsWith("whole").containsOnly("refused", "opened", "whole");
        }
        try (Log log = Log.open(WriterKind.MAPPED.config(directory).build())) {
            assertThat(Records.readAll(log)).isEqualTo(log.lastSequence());
        }
    }

    /** Uses up all descriptors, then gives back one after the other and tries to open the log each time. */
    static final class Hungry {

        private static final int MAX_NEEDED = 24; // the filler holds some, and more after each attempt

        public static void main(String[] arguments) throws IOException {
            LogConfig config = WriterKind.FILE_RWD.config(Path.of(arguments[0])).build();
            attempt(config); // which loads the classes
            Deque<FileInputStream> open = new ArrayDeque<>();
            try {
                while (true) {
                    open.add(new FileInputStream("/dev/null"));
                }
            } catch (IOException noMore) {
                for (int free = 0; free < MAX_NEEDED && !open.isEmpty(); free++) {
                    System.out.println(attempt(config));
                    open.remove().close();
                }
            }
            for (FileInputStream file : open) {
                file.close();
            }
            System.out.println(attempt(config).equals("opened") ? "whole" : "lost");
        }

        private static String attempt(LogConfig config) {
            try (Log log = Log.open(config);
                    Tailer tailer = log.tailer()) {
                Records.append(log, 1);
                log.commit(Durability.SYNCED);
                return Records.readAll(tailer) >= COUNT ? "opened" : "lost";
            } catch (PersistException refused) {
                return "refused";
            }
        }
    }
}
