package io.persist.bench;

import io.persist.bench.flags.PayloadParameters;
import io.persist.bench.flags.StoreLoggerParameters;
import io.persist.bench.record.KeyPattern;
import io.persist.bench.record.Messages;
import io.persist.bench.subject.StoreSubject;
import io.persist.command.Manual;
import io.persist.command.launch.Commands;

/**
 * The benchmark "StoreLogger": puts messages into a store by transactions, shows the latencies, and reads everything
 * back: by log, by state, and after recovery. The flags are those of the program of this name in the Rumi benchmark
 * suite.
 */
public final class StoreLoggerMain extends BenchmarkProgram<StoreLoggerParameters> {

    StoreLoggerMain() {
        super(new StoreLoggerParameters());
    }

    public static void main(String[] args) {
        Commands.end(new StoreLoggerMain(), args);
    }

    @Override
    BenchmarkRun prepare(
            StoreLoggerParameters flags,
            Messages messages,
            PayloadParameters.Payload payload,
            BenchmarkRun.Console console) {
        long length = flags.transactionLength(messages.maxLength());
        flags.validateLength("transaction", length, "a smaller --numPerCommit or shorter messages");
        long count = flags.common().count(payload.suggestedCount());
        KeyPattern pattern = flags.keyPattern(count);
        BenchmarkRun.Size size = new BenchmarkRun.Size(count, flags.putLength(messages.averageLength()), (int) length);
        return new BenchmarkRun(
                flags,
                messages,
                size,
                stop -> new StoreSubject(flags, messages, pattern, stop, console.out()),
                console);
    }

    @Override
    public Manual manual() {
        return finished(Manual.of(
                        "storelogger",
                        "",
                        "Puts messages into a store by transactions, shows the latencies of preparing and",
                        "committing them, reads everything back by log and by state, closes and recovers the",
                        "store, and compares its state once more.")
                .example(
                        "10,000,000 puts to 1,000,000 keys, ten in each transaction, a checkpoint per 64 MB of log",
                        "-l ./store -c 10000000 --keys 1000000 -n 10 \\",
                        "    --chkptIntervalMinLogSize 64")
                .example(
                        "four threads put to random keys, and each transaction is synced",
                        "-l ./store --producers 4 --keyOrder random -y"));
    }
}
