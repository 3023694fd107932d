package io.persist.matrix.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.Durability;
import io.persist.matrix.Effort;
import io.persist.matrix.Entries;
import io.persist.matrix.Exercise;
import io.persist.matrix.Life;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.support.ChildJvm;
import io.persist.support.NoFile;
import io.persist.support.ScratchDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.opentest4j.TestAbortedException;

/**
 * A process may not write to the directory, not look into it, not open one of the files. Rights mean nothing to root:
 * if this process is root's, the other one gives up those that overrule the files' own.
 */
public final class NoRights implements Exercise {

    private static final int COUNT = 40;
    private static final String OVERRULING = "-dac_override,-dac_read_search";

    @Override
    public Row row() {
        return Row.BAD_DIRECTORY;
    }

    /** The files' owner does not depend on the writer: one of each logger. */
    @Override
    public List<Subject> subjects() {
        return Subject.ofEachLogger();
    }

    @Override
    public void run(Subject subject, Effort effort) throws Exception {
        try (ScratchDirectory scratch = ScratchDirectory.create()) {
            Path parent = Files.createDirectory(scratch.path().resolve("parent"));
            Path log = parent.resolve("log");
            try (ChildJvm child = ChildJvm.run(command(subject, log))) {
                Attempt attempt = new Attempt(parent, log, child);
                abortIfRightsMeanNothing(attempt);
                attempt.refused(parent, "r-xr-xr-x", LoggerProcess.OPEN + " 0");
                Files.createDirectory(log);
                attempt.refused(log, "r-xr-xr-x", LoggerProcess.OPEN + " 0");
                attempt.refused(log, "---------", LoggerProcess.OPEN + " 0");
                attempt.refused(log, "---------", LoggerProcess.READ);
                effort.tried(4);
                Entries entries = new Entries();
                long records = write(subject, log, entries);
                attempt.refused(log, "r-xr-xr-x", LoggerProcess.OPEN + " 0");
                attempt.refused(log, "---------", LoggerProcess.OPEN + " 0");
                attempt.refused(log, "---------", LoggerProcess.READ);
                attempt.allowed(log, "r-xr-xr-x", LoggerProcess.READ, String.valueOf(records));
                effort.tried(4 + eachFile(attempt, log));
                verify(subject, log, entries);
            }
        }
    }

    private static List<String> command(Subject subject, Path log) {
        List<String> command = new ArrayList<>(ChildJvm.briefly(LoggerProcess.class, subject.name(), log));
        if (isRoot()) {
            command.addAll(0, List.of("setpriv", "--bounding-set=" + OVERRULING, "--inh-caps=" + OVERRULING));
        }
        return command;
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    /** A file without any right, which the process opens all the same; or there is no such process. */
    private static void abortIfRightsMeanNothing(Attempt attempt) throws IOException {
        String answer = attempt.withRights(attempt.parent, "---------", LoggerProcess.READ);
        if (answer == null || !answer.startsWith("LogIOException") && isRoot()) {
            String skipped = "SKIPPED row 17, NoRights: the user is root, and setpriv (util-linux) cannot change it";
            System.out.println(skipped);
            throw new TestAbortedException(skipped);
        }
    }

    private static long write(Subject subject, Path log, Entries entries) throws IOException {
        try (Life life = subject.open(log)) {
            for (int i = 0; i < COUNT; i++) {
                life.append(entries, entries.add(1));
            }
            life.commit(Durability.SYNCED);
            return entries.last();
        }
    }

    private static void verify(Subject subject, Path log, Entries entries) throws IOException {
        try (Life life = subject.open(log)) {
            assertThat(life.verify(entries)).isEqualTo(entries.last());
        }
    }

    /** One file after the other. Old segments are not needed to open a log, and all of them to read it. */
    private static int eachFile(Attempt attempt, Path log) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(log)) {
            files = all.toList();
        }
        int refused = 0;
        for (Path file : files) {
            refused += attempt.withRights(file, "---------", LoggerProcess.OPEN + " 0")
                            .startsWith("LogIOException")
                    ? 1
                    : attempt.close();
        }
        assertThat(refused).as("files that are needed to open a log").isGreaterThanOrEqualTo(3);
        return files.size();
    }

    /** What the other process may do, and what it answers. */
    private record Attempt(Path parent, Path log, ChildJvm child) {

        String withRights(Path path, String rights, String question) throws IOException {
            Map<String, Object> before = NoFile.content(parent);
            var given = Files.getPosixFilePermissions(path);
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(rights));
            String answer;
            try {
                answer = child.ask(question);
            } finally {
                Files.setPosixFilePermissions(path, given);
            }
            // A store may open its log before it comes to the file: then that is closed again, and whole.
            if (Files.isDirectory(path)) {
                assertThat(NoFile.content(parent))
                        .as("%s of %s with %s", question, path, rights)
                        .isEqualTo(before);
            }
            return answer;
        }

        void refused(Path path, String rights, String question) throws IOException {
            assertThat(withRights(path, rights, question))
                    .as("%s of %s with %s", question, path, rights)
                    .startsWith("LogIOException")
                    .contains(path.toString());
        }

        void allowed(Path path, String rights, String question, String expected) throws IOException {
            assertThat(withRights(path, rights, question))
                    .as("%s of %s with %s", question, path, rights)
                    .isEqualTo(expected);
        }

        int close() throws IOException {
            assertThat(child.ask(LoggerProcess.CLOSE)).isEqualTo(LoggerProcess.CLOSE);
            return 0;
        }
    }
}
