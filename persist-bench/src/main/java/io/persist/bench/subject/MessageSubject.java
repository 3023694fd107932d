package io.persist.bench.subject;

import io.persist.bench.flags.MessageLoggerParameters;
import io.persist.bench.latency.Operation;
import io.persist.bench.load.Journal;
import io.persist.bench.load.ReadPass;
import io.persist.bench.load.Stop;
import io.persist.bench.load.Stretch;
import io.persist.bench.record.MessageRecords;
import io.persist.bench.record.Messages;
import io.persist.command.Text;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** A {@link io.persist.MessageLogger} as it is measured. */
public final class MessageSubject implements Subject {

    private final Messages messages;
    private final TailerConfig reading;
    private final int producers;
    private final Operation operation;
    private final ReadPass readPass;
    private final PrintStream out;

    public MessageSubject(MessageLoggerParameters flags, Messages messages, Stop stop, PrintStream out) {
        this.messages = messages;
        this.reading = flags.tailerConfig();
        this.producers = flags.detached().producers();
        this.operation =
                flags.common().durability() == Durability.BUFFERED ? Operation.MESSAGE : Operation.MESSAGE_AND_COMMIT;
        this.readPass = new ReadPass(new MessageRecords(messages), producers, stop);
        this.out = out;
    }

    @Override
    public Operation operation() {
        return operation;
    }

    @Override
    public String noun() {
        return "message";
    }

    @Override
    public String rateUnit() {
        return "msgs/sec";
    }

    @Override
    public Journal open(LogConfig config, @Nullable DetachedConfig detached) {
        return MessageJournal.open(config, detached, messages, producers);
    }

    @Override
    public void warmUpReading(Journal journal, Stretch stretch, long limit) throws ReadPass.VerificationException {
        read(journal, stretch.firstSequence(), Math.min(stretch.count(), limit));
    }

    @Override
    public void readReopened(Journal journal, Stretch stretch) throws ReadPass.VerificationException {
        ReadPass.Read read = read(journal, stretch.firstSequence(), stretch.count());
        out.println("Read " + Text.number(read.count(), noun()) + " @ " + Text.grouped(read.perSecond())
                + " msgs/sec, all verified.");
    }

    private ReadPass.Read read(Journal journal, long firstSequence, long count) throws ReadPass.VerificationException {
        try (Tailer tailer = journal.tailer(reading)) {
            return readPass.read(tailer, firstSequence, count);
        }
    }
}
