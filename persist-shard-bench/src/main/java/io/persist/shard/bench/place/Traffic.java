package io.persist.shard.bench.place;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a program has asked blob and consensus for.
 *
 * <p><b>Threads:</b> any.
 */
public final class Traffic {

    /** What is counted; the names are those of meters. */
    public enum Counter {
        /** Objects written. */
        BLOB_SETS("blob_set_total", "objects written"),
        /** Their bytes. */
        BLOB_SET_BYTES("blob_set_bytes_total", "bytes of objects written"),
        /** Objects read. */
        BLOB_GETS("blob_get_total", "objects read"),
        /** Their bytes. */
        BLOB_GET_BYTES("blob_get_bytes_total", "bytes of objects read"),
        /** Objects deleted. */
        BLOB_DELETES("blob_delete_total", "objects deleted"),
        /** Their bytes. */
        BLOB_DELETE_BYTES("blob_delete_bytes_total", "bytes of objects deleted"),
        /** Versions that were added. */
        CAS("consensus_compare_and_set_total", "versions added by compare-and-set"),
        /** Versions that were not, because others were faster. */
        CAS_LOST("consensus_compare_and_set_mismatch_total", "compare-and-sets that others were faster than"),
        /** Bytes of those that were added. */
        CAS_BYTES("consensus_compare_and_set_bytes_total", "bytes of versions added");

        private final String meter;
        private final String meaning;

        Counter(String meter, String meaning) {
            this.meter = meter;
            this.meaning = meaning;
        }

        /** The name of the meter. */
        public String meter() {
            return meter;
        }

        /** What it says. */
        public String meaning() {
            return meaning;
        }
    }

    private final Map<Counter, LongAdder> counters = new LinkedHashMap<>();

    /** How long the objects are that this program has written and not deleted: not every place says it. */
    private final Map<String, Long> lengths = new ConcurrentHashMap<>();

    /** All at 0. */
    public Traffic() {
        for (Counter counter : Counter.values()) {
            counters.put(counter, new LongAdder());
        }
    }

    void add(Counter counter, long more) {
        LongAdder adder = counters.get(counter);
        if (adder != null) {
            adder.add(more);
        }
    }

    void written(String object, long length) {
        lengths.put(object, length);
        add(Counter.BLOB_SETS, 1);
        add(Counter.BLOB_SET_BYTES, length);
    }

    /** Those of other programs are not counted. */
    void deleted(String object) {
        Long length = lengths.remove(object);
        if (length != null) {
            add(Counter.BLOB_DELETES, 1);
            add(Counter.BLOB_DELETE_BYTES, length);
        }
    }

    /** How many by now. */
    public long get(Counter counter) {
        LongAdder adder = counters.get(counter);
        return adder == null ? 0 : adder.sum();
    }

    /** Bytes of the objects that this program has written and not deleted. */
    public long blobBytes() {
        return get(Counter.BLOB_SET_BYTES) - get(Counter.BLOB_DELETE_BYTES);
    }

    /** Bytes that were written, into blob and consensus. */
    public long writtenBytes() {
        return get(Counter.BLOB_SET_BYTES) + get(Counter.CAS_BYTES);
    }
}
