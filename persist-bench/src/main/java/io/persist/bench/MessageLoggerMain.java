package io.persist.bench;

import io.persist.bench.flags.MessageLoggerParameters;
import io.persist.bench.flags.PayloadParameters;
import io.persist.bench.record.Messages;
import io.persist.bench.subject.MessageSubject;
import io.persist.command.Manual;
import io.persist.command.launch.Commands;

/**
 * The benchmark "MessageLogger": journals messages, shows the latencies of the writes, and reads everything back. The
 * flags are those of the program of this name in the Rumi benchmark suite.
 */
public final class MessageLoggerMain extends BenchmarkProgram<MessageLoggerParameters> {

    MessageLoggerMain() {
        super(new MessageLoggerParameters());
    }

    public static void main(String[] args) {
        Commands.end(new MessageLoggerMain(), args);
    }

    @Override
    BenchmarkRun prepare(
            MessageLoggerParameters flags,
            Messages messages,
            PayloadParameters.Payload payload,
            BenchmarkRun.Console console) {
        flags.validateLength("message", messages.maxLength(), "shorter messages");
        BenchmarkRun.Size size = new BenchmarkRun.Size(
                flags.common().count(payload.suggestedCount()), messages.averageLength(), messages.maxLength());
        return new BenchmarkRun(
                flags, messages, size, stop -> new MessageSubject(flags, messages, stop, console.out()), console);
    }

    @Override
    public Manual manual() {
        return finished(Manual.of(
                        "message",
                        "",
                        "Journals messages to a log, shows the latencies of the writes, closes and reopens the",
                        "log, and reads everything back, comparing each record with what was written.")
                .example(
                        "1,000,000 messages at 100,000 per second, each of them synced in groups of 10",
                        "-k ./logs -r 100000 -n 10 -y")
                .example(
                        "three threads hand over to a writer thread on CPU 1, which syncs for all of them",
                        "-k ./logs -d -q 1024 -j 0x2 --producers 3 -y"));
    }
}
