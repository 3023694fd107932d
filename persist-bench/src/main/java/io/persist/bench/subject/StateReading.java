package io.persist.bench.subject;

import io.persist.StoreLogger;
import io.persist.bench.load.PutCheck;
import io.persist.bench.load.ReadPass;
import io.persist.bench.load.Stop;
import io.persist.bench.record.KeyPattern;
import io.persist.command.Text;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.read.StoreScan;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Reads a store by its state: key by key, and in the order of the keys. */
public final class StateReading {

    private final StoreLogger store;
    private final KeyPattern pattern;
    private final LastPuts lastPuts;
    private final PutCheck check;
    private final Stop stop;

    public StateReading(StoreLogger store, KeyPattern pattern, LastPuts lastPuts, PutCheck check, Stop stop) {
        this.store = store;
        this.pattern = pattern;
        this.lastPuts = lastPuts;
        this.check = check;
        this.stop = stop;
    }

    /** Gets the value of each key that was put, up to {@code limit} of them. */
    public ReadPass.Read byKey(long limit) throws ReadPass.VerificationException {
        ByteBuffer key = KeyPattern.newKey();
        long startNs = System.nanoTime();
        long read = 0;
        for (long number = 0; number < pattern.keys() && read < limit && !stop.requested(); number++) {
            long index = lastPuts.index(number);
            if (index < 0) {
                continue;
            }
            @Nullable
            ByteBuffer value = store.getUntilNext(key.putLong(0, number).array());
            if (value == null) {
                throw new ReadPass.VerificationException("there is no value of key " + number);
            }
            check.check(value, index, "the value of key ", number);
            read++;
        }
        return new ReadPass.Read(read, System.nanoTime() - startNs);
    }

    /**
     * Goes through the whole store. Keys that the run has not put, but an earlier one, count as read.
     *
     * @param limit after how many keys that the run has put it ends
     */
    public ReadPass.Read byScan(long limit) throws ReadPass.VerificationException {
        long startNs = System.nanoTime();
        long read = 0;
        long own = 0;
        long last = -1;
        try (StoreScan scan = store.scan(KeyRange.all(), Direction.FORWARD)) {
            while (own < limit && !stop.requested() && scan.next()) {
                read++;
                long number = pattern.read(scan.keyUntilNext());
                long index = number < 0 ? -1 : lastPuts.index(number);
                if (index < 0) {
                    continue;
                }
                if (number <= last) {
                    throw new ReadPass.VerificationException("the scan has key " + number + " after key " + last);
                }
                check.check(scan.valueUntilNext(), index, "in the scan, the value of key ", number);
                last = number;
                own++;
            }
        }
        if (own < Math.min(limit, lastPuts.count()) && !stop.requested()) {
            throw new ReadPass.VerificationException("the scan ends after " + Text.grouped(own) + " of the "
                    + Text.grouped(lastPuts.count()) + " keys that were put");
        }
        return new ReadPass.Read(read, System.nanoTime() - startNs);
    }
}
