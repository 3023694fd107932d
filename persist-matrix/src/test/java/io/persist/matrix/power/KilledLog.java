package io.persist.matrix.power;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.file.disk.DirectoryStorage;
import io.persist.log.Durability;
import io.persist.log.ReadMode;
import io.persist.log.ReadScope;
import io.persist.log.WriteMode;
import io.persist.matrix.Entries;
import io.persist.matrix.Follower;
import io.persist.matrix.Life;
import io.persist.matrix.Subject;
import io.persist.support.ScratchDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** What is known of a log whose writer runs in another JVM, and is killed. */
final class KilledLog implements AutoCloseable {

    /** More entries than ever come between two acknowledgements. */
    private static final int UNHEARD = 2000;

    private final int number;
    private final Path directory;
    private final Subject subject;
    private final Entries entries = new Entries();
    private final List<Follower> followers = new ArrayList<>();
    private int life;
    private boolean wasOpened;
    private long safe;

    KilledLog(int number, Path directory, Subject subject) throws IOException {
        this.number = number;
        this.directory = Files.createDirectory(directory);
        this.subject = subject;
        entries.mayBeginAt(Long.MAX_VALUE); // the writer does not say what its retention takes
    }

    /** What the next JVM has to know. */
    KilledWriter.Task task(Random random) {
        wasOpened = false;
        return new KilledWriter.Task(number, directory, subject, life, entries, random.nextLong());
    }

    /** Readers from now on. */
    void follow(ReadMode mode) throws IOException {
        for (ReadScope scope : ReadScope.values()) {
            followers.add(Follower.open(subject, DirectoryStorage.open(directory), scope, mode));
        }
    }

    void readOn() {
        followers.forEach(Follower::readOn);
    }

    /** The writer said this. */
    void hear(String word, long first, long second) {
        if (word.equals(KilledWriter.OPENED)) {
            assertThat(second).as("the last entry, %s", this).isEqualTo(entries.last());
            life = (int) first;
            wasOpened = true;
            return;
        }
        assertThat(word).as("%s", this).isNotEqualTo(KilledWriter.FAILED);
        addUpTo(first);
        if (survives(Durability.valueOf(word))) {
            safe = first;
        }
    }

    private void addUpTo(long last) {
        while (entries.last() < last) {
            entries.add(life);
        }
    }

    /** In a mapping everything is in the page cache at once. */
    private boolean survives(Durability level) {
        return level != Durability.BUFFERED || subject.writeMode() == WriteMode.MAPPED && !subject.isDetached();
    }

    /** The writer is dead: looks at a copy of what it has left, which the next one finds as it is. */
    void checkCopy() throws IOException {
        if (wasOpened) {
            addUpTo(entries.last() + UNHEARD);
        }
        try (ScratchDirectory copy = ScratchDirectory.create();
                Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.path().resolve(file.getFileName()));
            }
            check(copy.path());
        }
        readOn();
        followers.forEach(follower -> follower.checkAllIsIn(entries));
    }

    private void check(Path where) throws IOException {
        try (Life open = subject.open(where)) {
            long last = open.verify(entries);
            assertThat(last)
                    .as("the last entry, %s, %s", this, open.recovery().describe())
                    .isGreaterThanOrEqualTo(safe);
            entries.forgetAfter(last);
            safe = last;
        }
    }

    /** Nobody will write any more: recovers it itself, and the readers see the last entry. */
    void checkAtLast() throws IOException {
        check(directory);
        readOn();
        for (Follower follower : followers) {
            follower.checkAllIsIn(entries);
            assertThat(follower.last()).as("what a reader saw last, %s", this).isEqualTo(entries.last());
        }
    }

    @Override
    public void close() {
        followers.forEach(Follower::close);
    }

    @Override
    public String toString() {
        return subject + ", log " + number + ", life " + life;
    }
}
