package com.neeve.perf.persist;

import io.persist.bench.PacketLoggerMain;

/** Runs {@link PacketLoggerMain}, so that a command for the Rumi benchmark suite works as it is. */
public final class PacketLogger {

    private PacketLogger() {}

    public static void main(String[] args) {
        PacketLoggerMain.main(args);
    }
}
