package com.neeve.perf.persist;

import io.persist.bench.StoreLoggerMain;

/** Runs {@link StoreLoggerMain}, so that a command for the Rumi benchmark suite works as it is. */
public final class StoreLogger {

    private StoreLogger() {}

    public static void main(String[] args) {
        StoreLoggerMain.main(args);
    }
}
