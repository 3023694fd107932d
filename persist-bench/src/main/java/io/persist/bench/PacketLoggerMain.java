package io.persist.bench;

import io.persist.bench.flags.PacketLoggerParameters;
import io.persist.bench.flags.PayloadParameters;
import io.persist.bench.record.Messages;
import io.persist.bench.record.MetadataPattern;
import io.persist.bench.record.PacketContent;
import io.persist.bench.subject.PacketSubject;
import io.persist.command.Manual;
import io.persist.command.launch.Commands;

/**
 * The benchmark "PacketLogger": journals packets, shows the latencies of their parts, and reads everything back, after
 * writing or meanwhile. The flags are those of the program of this name in the Rumi benchmark suite.
 */
public final class PacketLoggerMain extends BenchmarkProgram<PacketLoggerParameters> {

    PacketLoggerMain() {
        super(new PacketLoggerParameters());
    }

    public static void main(String[] args) {
        Commands.end(new PacketLoggerMain(), args);
    }

    @Override
    BenchmarkRun prepare(
            PacketLoggerParameters flags,
            Messages messages,
            PayloadParameters.Payload payload,
            BenchmarkRun.Console console) {
        int perPacket = flags.messagesPerPacket();
        PacketContent content = new PacketContent(
                messages,
                perPacket,
                flags.populatesMetadata()
                        ? new MetadataPattern(flags.detached().producers(), flags.numPerCommit())
                        : null);
        flags.validateLength("packet", content.maxLength(), "fewer --messagesPerPacket or shorter messages");
        Long suggested = payload.suggestedCount();
        long count = flags.common().count(suggested == null ? null : (suggested + perPacket - 1) / perPacket);
        BenchmarkRun.Size size = new BenchmarkRun.Size(count, content.averageLength(), (int) content.maxLength());
        return new BenchmarkRun(
                flags, messages, size, stop -> new PacketSubject(flags, content, stop, console.out()), console);
    }

    @Override
    public Manual manual() {
        return finished(Manual.of(
                        "packet",
                        "",
                        "Journals packets of messages to a log, shows the latencies of preparing, writing and",
                        "flushing them, closes and reopens the log, and reads everything back, comparing each",
                        "packet with what was written.")
                .example(
                        "1,000,000 packets of five messages with metadata, each of them synced",
                        "-l ./logs --messagesPerPacket 5 -v -y")
                .example(
                        "500,000 packets per second, and a thread that reads them meanwhile",
                        "-l ./logs -r 500000 --tail"));
    }
}
