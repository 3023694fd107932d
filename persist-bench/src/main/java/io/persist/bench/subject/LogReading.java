package io.persist.bench.subject;

import io.persist.StoreLogger;
import io.persist.bench.load.PutCheck;
import io.persist.bench.load.ReadPass;
import io.persist.bench.load.Stop;
import io.persist.bench.load.Stretch;
import io.persist.bench.record.KeyPattern;
import io.persist.command.Text;
import io.persist.log.TailerConfig;
import io.persist.store.ChangeType;
import io.persist.store.read.ChangeReader;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Reads a store by its log: every change of a run, in the order of their commits. */
public final class LogReading {

    private final StoreLogger store;
    private final TailerConfig reading;
    private final KeyPattern pattern;
    private final PutCheck check;
    private final Stop stop;

    public LogReading(StoreLogger store, TailerConfig reading, KeyPattern pattern, PutCheck check, Stop stop) {
        this.store = store;
        this.reading = reading;
        this.pattern = pattern;
        this.check = check;
        this.stop = stop;
    }

    /** Counts what is in the log from a position on. */
    public Statistics count(long fromPosition) {
        try (ChangeReader changes = store.changes(fromPosition, reading)) {
            long transactions = 0;
            long puts = 0;
            long removes = 0;
            long keyBytes = 0;
            long valueBytes = 0;
            long bytes = 0;
            while (!stop.requested() && changes.next()) {
                boolean put = changes.type() == ChangeType.PUT;
                puts += put ? 1 : 0;
                removes += put ? 0 : 1;
                keyBytes += changes.key().remaining();
                valueBytes += changes.value().remaining();
                if (changes.endsTransaction()) {
                    transactions++;
                    bytes += changes.nextPosition() - changes.position();
                }
            }
            return new Statistics(transactions, puts, removes, keyBytes, valueBytes, bytes);
        }
    }

    /** Reads the changes of a run, up to {@code limit} of them, and compares each with what was put. */
    public ReadPass.Read read(Stretch stretch, long limit) throws ReadPass.VerificationException {
        long count = Math.min(limit, stretch.count());
        long[] next = new long[pattern.producers()];
        for (int producer = 0; producer < next.length; producer++) {
            next[producer] = producer;
        }
        try (ChangeReader changes = store.changes(stretch.startPosition(), reading)) {
            long startNs = System.nanoTime();
            long read = 0;
            while (read < count && !stop.requested()) {
                if (!changes.next()) {
                    throw new ReadPass.VerificationException(
                            "the log ends after " + Text.grouped(read) + " of the " + Text.grouped(count) + " puts");
                }
                long key = pattern.read(changes.key());
                if (changes.type() != ChangeType.PUT || key < 0) {
                    throw new ReadPass.VerificationException(
                            "the change at position " + changes.position() + " is none of this run's puts");
                }
                // Each producer has keys of its own, so the key tells whose put it is.
                int producer = (int) (key % next.length);
                check(changes, key, next[producer]);
                next[producer] += next.length;
                read++;
            }
            return new ReadPass.Read(read, System.nanoTime() - startNs);
        }
    }

    private void check(ChangeReader changes, long key, long index) throws ReadPass.VerificationException {
        if (key != pattern.number(index)) {
            throw new ReadPass.VerificationException("the change at position " + changes.position() + " is of key "
                    + key + ", but put " + index + ", of key " + pattern.number(index) + ", is the next one");
        }
        ByteBuffer value = changes.value();
        check.check(value, index, "in the log, the value of key ", key);
    }

    /** What was counted. Bytes are those of the records, frames and all. */
    public record Statistics(long transactions, long puts, long removes, long keyBytes, long valueBytes, long bytes) {

        /** Names and values, for {@link Text#block}. */
        Map<String, Object> rows() {
            long changes = puts + removes;
            Map<String, Object> rows = new LinkedHashMap<>();
            rows.put(
                    "transactions",
                    Text.grouped(transactions) + " of " + mean(changes, transactions) + " changes and "
                            + mean(bytes, transactions) + " bytes on average");
            rows.put("puts", Text.grouped(puts) + ", values of " + mean(valueBytes, puts) + " bytes on average");
            rows.put("removes", Text.grouped(removes));
            rows.put("keys", mean(keyBytes, changes) + " bytes on average");
            rows.put("bytes", Text.grouped(bytes));
            return rows;
        }

        private static String mean(long sum, long count) {
            return String.format(Locale.ROOT, "%,.1f", count == 0 ? 0 : (double) sum / count);
        }
    }
}
