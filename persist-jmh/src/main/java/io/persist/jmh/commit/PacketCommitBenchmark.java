package io.persist.jmh.commit;

import io.persist.PacketLogger;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.packet.Packet;

/**
 * {@link CommitBenchmark} of a {@link PacketLogger}: a record is a packet with metadata and {@link #MESSAGES} messages,
 * which have the bytes of the payload together. Its making is in the time.
 */
public class PacketCommitBenchmark extends CommitBenchmark {

    static final int MESSAGES = 4;

    private PacketLogger logger;
    private long transactionId;

    @Override
    void openAttached(LogConfig config) {
        logger = PacketLogger.open(config);
    }

    @Override
    void openDetached(LogConfig config, DetachedConfig detached) {
        logger = PacketLogger.open(config, detached);
    }

    @Override
    long commitOne() {
        Packet packet = logger.packet();
        packet.metadata().transactionId(++transactionId);
        int length = message.length / MESSAGES;
        for (int i = 0; i < MESSAGES; i++) {
            packet.add(message, i * length, length);
        }
        logger.append(packet);
        return logger.commit(durability);
    }

    @Override
    boolean awaitWriter(long end) throws InterruptedException {
        return logger.await(end, Durability.BUFFERED, LIMIT);
    }

    @Override
    protected long position() {
        return logger.position();
    }

    @Override
    protected void close() {
        logger.close();
    }
}
