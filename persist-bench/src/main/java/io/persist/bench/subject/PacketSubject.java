package io.persist.bench.subject;

import io.persist.bench.flags.PacketLoggerParameters;
import io.persist.bench.latency.Operation;
import io.persist.bench.latency.PositionTimes;
import io.persist.bench.load.Follower;
import io.persist.bench.load.Journal;
import io.persist.bench.load.ReadPass;
import io.persist.bench.load.Stop;
import io.persist.bench.load.Stretch;
import io.persist.bench.load.TailReader;
import io.persist.bench.record.PacketContent;
import io.persist.bench.record.PacketRecords;
import io.persist.command.Text;
import io.persist.log.DetachedConfig;
import io.persist.log.LogConfig;
import io.persist.log.read.Tailer;
import java.io.PrintStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A {@link io.persist.PacketLogger} as it is measured. */
public final class PacketSubject implements Subject {

    private final PacketLoggerParameters flags;
    private final PacketContent content;
    private final int producers;
    private final ReadPass readPass;
    private final PrintStream out;
    private @Nullable TailReader tail;

    public PacketSubject(PacketLoggerParameters flags, PacketContent content, Stop stop, PrintStream out) {
        this.flags = flags;
        this.content = content;
        this.producers = flags.detached().producers();
        this.readPass = new ReadPass(new PacketRecords(content.copy()), producers, stop);
        this.out = out;
    }

    @Override
    public Operation operation() {
        return Operation.PACKET;
    }

    @Override
    public String noun() {
        return "packet";
    }

    @Override
    public String rateUnit() {
        return "packets/sec";
    }

    @Override
    public Journal open(LogConfig config, @Nullable DetachedConfig detached) {
        return PacketJournal.open(config, detached, content, producers);
    }

    @Override
    public List<Follower.Starter> readers() {
        return flags.tail() ? List.of(this::startTail) : List.of();
    }

    private Follower startTail(Journal journal, LogConfig config, PositionTimes times) {
        TailReader reader =
                TailReader.start(journal, flags.tailerConfig(), new PacketRecords(content.copy()), producers, times);
        tail = reader;
        return reader;
    }

    @Override
    public void warmUpReading(Journal journal, Stretch stretch, long limit) throws ReadPass.VerificationException {
        if (!flags.tail()) {
            read(journal, stretch.firstSequence(), Math.min(stretch.count(), limit));
        }
    }

    @Override
    public void readOpen(Journal journal, Stretch stretch) {
        TailReader reader = tail;
        if (reader == null) {
            return;
        }
        ReadPass.Read read = reader.read();
        out.println("Read " + Text.number(read.count(), noun()) + " @ " + Text.grouped(read.perSecond())
                + " packets/sec while they were written, all verified.");
        out.println("The reader was never seen more than " + Text.bytes(reader.maxBehindBytes()) + ", about "
                + Text.number(reader.maxBehindRecords(), noun()) + ", behind the writer.");
    }

    @Override
    public boolean reopens() {
        return !flags.tail();
    }

    @Override
    public void readReopened(Journal journal, Stretch stretch) throws ReadPass.VerificationException {
        ReadPass.Read read = read(journal, stretch.firstSequence(), stretch.count());
        out.println("Read " + Text.number(read.count(), noun()) + " @ " + Text.grouped(read.perSecond())
                + " packets/sec, all verified" + (content.metadata() == null ? "." : ", and their metadata."));
    }

    private ReadPass.Read read(Journal journal, long firstSequence, long count) throws ReadPass.VerificationException {
        try (Tailer tailer = journal.tailer(flags.tailerConfig())) {
            return readPass.read(tailer, firstSequence, count);
        }
    }
}
