package io.persist.bench.subject;

import io.persist.bench.flags.CommonParameters;
import io.persist.bench.flags.LoggerParameters;
import io.persist.bench.load.Journal;
import io.persist.command.Text;

/**
 * How much room for records was filled with zeros before the first one, since the log was opened.
 *
 * @param bytes of it
 * @param how what was asked for
 */
public record PreparedSpace(long bytes, String how) {

    public static PreparedSpace of(LoggerParameters parameters, Journal journal) {
        CommonParameters common = parameters.common();
        String length = "--initialLogLength of " + Text.bytes(common.initialLength());
        String how = common.initialLength() == 0
                ? "--initialLogLength 0"
                : switch (common.prefill()) {
                    case BEFORE_OPEN -> length + ", --zeroOutInitial: before opening returned";
                    case BACKGROUND -> length + ": in the background, while it is being written";
                };
        return new PreparedSpace(journal.statistics().filledBytes(), how);
    }

    public String describe() {
        return "Space that was prepared before the clock started: " + Text.bytes(bytes) + " (" + how + ").";
    }
}
