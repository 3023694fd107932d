package io.persist.bench.subject;

import io.persist.PacketLogger;
import io.persist.bench.latency.Target;
import io.persist.bench.record.PacketContent;
import io.persist.log.DetachedConfig;
import io.persist.log.LogConfig;
import io.persist.packet.Packet;
import org.jspecify.annotations.Nullable;

/** A {@link PacketLogger} to which a run's packets are written. */
final class PacketJournal extends LoggerJournal {

    private final PacketLogger log;
    private final PacketContent content;
    private final int producers;

    private PacketJournal(PacketLogger log, LogConfig config, boolean detached, PacketContent content, int producers) {
        super(log, config, detached);
        this.log = log;
        this.content = content;
        this.producers = producers;
    }

    /** Opens a log to which {@code producers} threads write the packets in turn. */
    static PacketJournal open(
            LogConfig config, @Nullable DetachedConfig detached, PacketContent content, int producers) {
        PacketLogger log = detached == null ? PacketLogger.open(config) : PacketLogger.open(config, detached);
        return new PacketJournal(log, config, detached != null, content, producers);
    }

    @Override
    public Target target(int producer) {
        return new PacketTarget(content.copy(), producer);
    }

    /** Every n-th of the packets, if there are n producers. */
    private final class PacketTarget implements Target {

        private final PacketContent own;
        private final int producer;
        private Packet packet = new Packet();

        PacketTarget(PacketContent own, int producer) {
            this.own = own;
            this.producer = producer;
        }

        @Override
        public void prepare(long index) {
            packet = log.packet();
            own.fill(packet, index * producers + producer);
        }

        @Override
        public long write() {
            return log.append(packet);
        }

        @Override
        public long commit() {
            return endCommit();
        }
    }
}
