package io.persist.matrix.power;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.RetiredException;
import io.persist.file.Storage;
import io.persist.log.ReadMode;
import io.persist.log.ReadScope;
import io.persist.log.read.Tailer;
import io.persist.log.recovery.LogInspector;
import io.persist.log.recovery.LogScan;
import io.persist.log.recovery.RecoveryTable;
import io.persist.log.recovery.ScanFindings;
import io.persist.matrix.Follower;
import io.persist.matrix.Subject;
import io.persist.matrix.Work;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Whatever reads a log without being its writer, in an order that is drawn: readers that follow it, that look for a
 * record, that go on where a cursor has stopped, views of a store, the inspection that verifies a log, backups and
 * archives. Each shows what is there, or says that it is gone.
 *
 * <p><b>Threads:</b> one.
 */
final class ManyReaders {

    /** A reader may find out first that there is a log, and then that it was overtaken. */
    private static final int MOST_NEWS = 3;

    private final Subject subject;
    private final Storage storage;
    private final Work work;
    private final Random random;
    private final LogCopies copies;
    private final NamedReader named;
    private final KeptView kept;
    private final List<Follower> followers = new ArrayList<>();

    /** Readers of the log that {@code work} writes, as they see its {@code storage}, and other places, still empty. */
    ManyReaders(Subject subject, Storage storage, Supplier<Storage> empty, Work work, Random random) {
        this.subject = subject;
        this.storage = storage;
        this.work = work;
        this.random = random;
        this.copies = new LogCopies(subject, storage, work, empty);
        this.named = new NamedReader(subject, storage, random);
        this.kept = new KeptView(subject, storage);
    }

    void readSome() throws IOException {
        long synced = work.synced();
        switch (random.nextInt(synced == 0 ? 2 : 11)) {
            case 0 -> followers.add(Follower.open(subject, storage, scope(), mode()));
            case 1, 2 -> followers.forEach(Follower::readOn);
            case 3 -> find(synced);
            case 4 -> named.goOn(mode());
            case 5 -> view(synced);
            case 6 -> goOnIn(copies.backUpAgain());
            case 7 -> goOnIn(copies.backUpToZip());
            case 8 -> copies.archive();
            case 9 -> lookAgain(synced);
            default -> inspect();
        }
    }

    private ReadScope scope() {
        return ReadScope.values()[random.nextInt(ReadScope.values().length)];
    }

    private ReadMode mode() {
        return ReadMode.values()[random.nextInt(ReadMode.values().length)];
    }

    /** A record by its number, and once more by its position. In a store compaction may have taken it away. */
    private void find(long synced) {
        long number = 1 + random.nextLong(synced);
        try (Tailer tailer = subject.tailer(storage, scope(), mode())) {
            tailer.toSequence(number);
            if (isThere(tailer, number)) {
                tailer.toPosition(tailer.position());
                isThere(tailer, number);
            }
            tailer.toEnd();
        } catch (RetiredException gone) {
            assertThat(gone).hasMessageContaining("go on from the log's first record");
        }
    }

    /** Whether the next record is {@code number}; if it is not, then because the log is a store's. */
    private boolean isThere(Tailer tailer, long number) {
        assertThat(tailer.next()).as("record %d is there", number).isTrue();
        if (subject.logger() == Subject.Logger.STORE) {
            assertThat(tailer.sequence()).isGreaterThanOrEqualTo(number);
        } else {
            assertThat(tailer.sequence()).isEqualTo(number);
        }
        return tailer.sequence() == number;
    }

    private void goOnIn(Optional<Storage> copy) throws IOException {
        if (copy.isPresent()) {
            named.goOnIn(copy.get(), mode());
        }
    }

    private void view(long synced) {
        if (subject.logger() == Subject.Logger.STORE) {
            assertThat(subject.view(storage, work.entries()))
                    .as("the last entry of a view")
                    .isBetween(synced, work.entries().last());
        }
    }

    private void lookAgain(long synced) {
        if (subject.logger() == Subject.Logger.STORE) {
            assertThat(kept.lookAgain(work.entries()))
                    .as("the last entry of a view that catches up")
                    .isBetween(synced, work.entries().last());
        }
    }

    private void inspect() throws IOException {
        ScanFindings found =
                new LogInspector(storage).inspect(LogScan.Start.BEGINNING).findings();
        assertThat(found.row().decision()).as("row %s", found.row()).isEqualTo(RecoveryTable.Decision.END);
    }

    /** The writer is closed: followers come to its end, and are closed. */
    void readToEnd() {
        if (subject.logger() == Subject.Logger.STORE) {
            lookAgain(work.entries().last());
            kept.close();
        }
        for (Follower follower : followers) {
            for (int i = 0; i < MOST_NEWS; i++) {
                follower.readOn();
            }
            assertThat(follower.last())
                    .as("the last entry that a reader sees")
                    .isEqualTo(work.entries().last());
            follower.checkAllIsIn(work.entries());
            follower.close();
        }
    }
}
