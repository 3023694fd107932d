package com.neeve.perf.persist;

import io.persist.bench.MessageLoggerMain;

/** Runs {@link MessageLoggerMain}, so that a command for the Rumi benchmark suite works as it is. */
public final class MessageLogger {

    private MessageLogger() {}

    public static void main(String[] args) {
        MessageLoggerMain.main(args);
    }
}
