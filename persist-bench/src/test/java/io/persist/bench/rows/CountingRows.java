package io.persist.bench.rows;

import io.persist.bench.rows.promise.RowPromise;

/** An engine that keeps nothing but the numbers of its tables and of their commits. */
final class CountingRows {

    int tables;
    int commits;

    RowEngine engine() {
        return RowEngine.of("counting", RowPromise::ofPersist, spec -> new NothingKept());
    }

    private final class NothingKept implements RowTable {

        NothingKept() {
            tables++;
        }

        @Override
        public void begin() {}

        @Override
        public void insert(long number, byte[] text) {}

        @Override
        public void commit() {
            commits++;
        }

        @Override
        public void close() {}
    }
}
