package io.persist.matrix.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.Journal;
import io.persist.error.LogIOException;
import io.persist.log.Durability;
import io.persist.matrix.Entries;
import io.persist.matrix.Life;
import io.persist.matrix.Subject;
import io.persist.support.Await;
import io.persist.support.NoFile;
import io.persist.support.Resources;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.stream.Stream;

/** The process that has few descriptors. It prints how many cases it has tried, or what went wrong, in one line. */
final class FewDescriptors {

    private static final int COUNT = 40;

    /** More than any logger needs to be opened. */
    private static final int MOST = 40;

    private final Subject subject;
    private final Path directory;
    private final Deque<InputStream> hoarded = new ArrayDeque<>();
    private long cases;

    private FewDescriptors(Subject subject, Path directory) {
        this.subject = subject;
        this.directory = directory;
    }

    public static void main(String[] arguments) throws IOException {
        PrintStream out = System.out;
        try {
            loadClasses();
            long cases = 0;
            for (String name : arguments[1].split(",")) {
                cases += new FewDescriptors(Subject.named(name), Path.of(arguments[0], name)).run();
            }
            out.println(cases);
        } catch (Throwable e) {
            e.printStackTrace();
            out.println(String.valueOf(e).replace('\n', ' '));
        }
    }

    /** A class that is needed for the first time is opened as a file here, unless it is in a jar, which is open. */
    private static void loadClasses() throws Exception {
        loadClasses(Journal.class, "log", "file", "format", "store", "detached", "error", "index", "event");
        loadClasses(NoFile.class, "support");
        loadClasses(Subject.class, "matrix");
    }

    private static void loadClasses(Class<?> one, String... packages) throws Exception {
        Path root =
                Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (!Files.isDirectory(root)) {
            return;
        }
        for (String name : packages) {
            try (Stream<Path> all = Files.walk(root.resolve("io/persist").resolve(name))) {
                for (Path file : (Iterable<Path>) all::iterator) {
                    String type = root.relativize(file).toString().replace('/', '.');
                    if (type.endsWith(".class") && !type.contains("-info") && !type.endsWith("Test.class")) {
                        Class.forName(type.substring(0, type.length() - ".class".length()));
                    }
                }
            }
        }
    }

    private long run() throws Exception {
        Entries entries = new Entries();
        live(entries);
        Path spoilt = Files.writeString(directory.resolveSibling("no-directory"), "");
        assertThat(catchThrowable(() -> open(spoilt))).isInstanceOf(LogIOException.class);
        openWithFew(entries);
        makeWithFew();
        rollWithNone(entries, Durability.FLUSHED);
        rollWithNone(entries, Durability.SYNCED);
        return cases;
    }

    private AutoCloseable open(Path at) {
        return Opening.open(subject, at);
    }

    private void live(Entries entries) throws Exception {
        Files.createDirectories(directory);
        try (Life life = subject.open(directory)) {
            for (int i = 0; i < COUNT; i++) {
                life.append(entries, entries.add(1));
            }
            life.upkeep(entries);
            assertThat(life.verify(entries)).isEqualTo(entries.last());
        }
    }

    /** An existing log: whatever is refused, nothing is open then, and all of it is there. */
    private void openWithFew(Entries entries) throws Exception {
        Throwable refused = null;
        for (int left = 0; left == 0 || refused != null; left++) {
            assertThat(left).as("descriptors that it takes").isLessThan(MOST);
            Map<String, Object> before = NoFile.content(directory);
            refused = openWith(left, directory);
            checkNothingIsOpen(directory, left);
            if (refused != null && left == 0) {
                assertThat(NoFile.content(directory)).isEqualTo(before);
            }
            try (Life life = subject.open(directory)) {
                assertThat(life.verify(entries)).as("opened with %d left", left).isEqualTo(entries.last());
            }
            cases++;
        }
    }

    private void makeWithFew() throws Exception {
        Throwable refused = null;
        for (int left = 0; left == 0 || refused != null; left++) {
            assertThat(left).as("descriptors that it takes").isLessThan(MOST);
            Path fresh = directory.resolveSibling(subject.name() + "-" + left);
            refused = openWith(left, fresh);
            checkNothingIsOpen(fresh, left);
            open(fresh).close();
            cases++;
        }
    }

    private static void checkNothingIsOpen(Path directory, int left) throws IOException {
        Resources open = Resources.of(directory);
        assertThat(open.descriptors()).as("opened with %d left", left).isEmpty();
        assertThat(open.mappings()).as("opened with %d left", left).isEmpty();
    }

    private Throwable openWith(int left, Path at) throws Exception {
        hoard(left);
        Throwable refused = null;
        try {
            open(at).close();
        } catch (Throwable e) {
            refused = e;
        } finally {
            release();
        }
        if (refused != null) {
            assertThat(refused).as("with %d descriptors left", left).isInstanceOf(LogIOException.class);
        }
        return refused;
    }

    /** No segment can be made until there are descriptors again: what was accepted is kept, and the log goes on. */
    private void rollWithNone(Entries entries, Durability level) throws Exception {
        try (Life life = subject.open(directory)) {
            long accepted = appendUntilRefused(life, entries, level);
            release();
            Await.until("the log goes on", () -> commits(life));
            long last = life.verify(entries);
            assertThat(last).isBetween(accepted, entries.last());
            entries.forgetAfter(last);
        } finally {
            release();
        }
        verifyAgain(entries, entries.last());
    }

    /** Returns the number of the last entry that was accepted for sure. */
    private long appendUntilRefused(Life life, Entries entries, Durability level) throws IOException {
        hoard(0);
        while (true) {
            long accepted = entries.last();
            hoardWhatIsGivenBack(entries);
            try {
                life.append(entries, entries.add(1));
                accepted = entries.last();
                life.commit(level);
            } catch (LogIOException refused) {
                assertThat(life.hasFailed()).as("failed: %s", refused).isFalse();
                assertThat(refused)
                        .hasMessageStartingWith("cannot prepare the next segment: ")
                        .hasMessageContaining("Too many open files");
                return accepted;
            }
        }
    }

    private static boolean commits(Life life) {
        try {
            life.commit(Durability.SYNCED);
            return true;
        } catch (LogIOException refused) {
            assertThat(life.hasFailed()).as("failed: %s", refused).isFalse();
            return false;
        }
    }

    /** Those too that segments have given back which are done. */
    private void hoardWhatIsGivenBack(Entries entries) throws IOException {
        assertThat(entries.last()).isLessThan(1000 * COUNT);
        if (entries.last() % COUNT == 0) {
            hoard(0);
        }
    }

    /** In a new life all entries up to {@code safe} are there. */
    private void verifyAgain(Entries entries, long safe) throws Exception {
        try (Life again = subject.open(directory)) {
            long last = again.verify(entries);
            assertThat(last).isBetween(safe, entries.last());
            entries.forgetAfter(last);
        }
        cases++;
    }

    private void hoard(int left) throws IOException {
        try {
            while (true) {
                hoarded.push(new FileInputStream("/dev/null"));
            }
        } catch (IOException none) {
            for (int i = 0; i < left; i++) {
                hoarded.pop().close();
            }
        }
    }

    private void release() throws IOException {
        while (!hoarded.isEmpty()) {
            hoarded.pop().close();
        }
    }
}
