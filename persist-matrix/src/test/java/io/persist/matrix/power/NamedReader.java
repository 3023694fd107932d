package io.persist.matrix.power;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.LogIOException;
import io.persist.file.Storage;
import io.persist.log.ReadMode;
import io.persist.log.read.Tailer;
import io.persist.log.segment.LogFiles;
import io.persist.log.segment.SegmentView;
import io.persist.matrix.Subject;
import java.io.IOException;
import java.util.HashSet;
import java.util.NavigableSet;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A reader that goes on where its cursor is, again and again, and misses nothing: what is behind a cursor is held. What
 * a store's compaction had taken away before the cursor was made is gone, and is all that may be passed over.
 *
 * <p><b>Threads:</b> one.
 */
final class NamedReader {

    private static final String CURSOR = "reader";
    private static final int FEW = 20;
    private static final Passed NOTHING = new Passed(0, 0);

    /** The number and the position of the last record that a cursor has passed; zeros before it has passed any. */
    private record Passed(long number, long position) {}

    private final Subject subject;
    private final Storage log;
    private final Random random;
    private Passed passed = NOTHING;

    /** The segments of the log whose records were taken away before the cursor was made; null until it is made. */
    private @Nullable Set<Long> gone;

    NamedReader(Subject subject, Storage log, Random random) {
        this.subject = subject;
        this.log = log;
        this.random = random;
    }

    /** Reads some records of the log, and stores the cursor behind them. */
    void goOn(ReadMode mode) throws IOException {
        try (Tailer tailer = subject.tailer(log, CURSOR, mode)) {
            gone = gone == null ? placeholders(log) : gone;
            Passed read = read(tailer, log, gone);
            tailer.store();
            passed = read;
        } catch (LogIOException full) {
            assertThat(full).hasMessageContaining("No space left on device");
        }
    }

    /** The same with the cursor in {@code copy}, which was just taken. */
    void goOnIn(Storage copy, ReadMode mode) throws IOException {
        try (Tailer tailer = subject.tailer(copy, CURSOR, mode)) {
            read(tailer, copy, gone == null ? placeholders(copy) : gone);
            tailer.store();
        }
    }

    private Passed read(Tailer tailer, Storage place, Set<Long> mayBePassed) throws IOException {
        Passed last = passed;
        int most = random.nextInt(FEW);
        for (int i = 0; i < most && tailer.next(); i++) {
            if (last.number() != 0 && tailer.sequence() != last.number() + 1) {
                assertThat(between(place, last.position(), tailer.position()))
                        .as("segments between record %d and record %d", last.number(), tailer.sequence())
                        .isNotEmpty()
                        .isSubsetOf(mayBePassed);
            }
            last = new Passed(tailer.sequence(), tailer.position());
        }
        return last;
    }

    private static Set<Long> placeholders(Storage place) throws IOException {
        Set<Long> bases = new HashSet<>();
        for (long base : LogFiles.basePositions(place)) {
            try (SegmentView segment = SegmentView.open(place, base)) {
                if (segment.damage() == null && segment.header().isVacated()) {
                    bases.add(base);
                }
            }
        }
        return bases;
    }

    private static NavigableSet<Long> between(Storage place, long position, long next) throws IOException {
        NavigableSet<Long> bases = LogFiles.basePositions(place);
        return bases.subSet(position, false, bases.floor(next), false);
    }
}
