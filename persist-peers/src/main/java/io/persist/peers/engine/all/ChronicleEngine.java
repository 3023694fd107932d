package io.persist.peers.engine.all;

import io.persist.log.Durability;
import io.persist.peers.engine.Engine;
import io.persist.peers.engine.EngineConfig;
import io.persist.peers.engine.EngineKind;
import io.persist.peers.engine.LibraryVersion;
import io.persist.peers.engine.MessageReader;
import io.persist.peers.engine.Producer;
import io.persist.peers.engine.Survival;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.SyncMode;
import net.openhft.chronicle.core.io.BackgroundResourceReleaser;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;

/**
 * Chronicle Queue, the free edition: a file that all processes map. A message is a document of raw bytes, written by
 * {@code ExcerptAppender.writeBytes} from a direct buffer, which took half the time of a heap buffer, and read by
 * {@code ExcerptTailer.readBytes}; {@code writingDocument} and {@code readingDocument} were slower. All options are the
 * defaults: larger blocks were no faster, and a pretoucher is only in the paid edition.
 *
 * <ul>
 *   <li>{@code BUFFERED}: in the mapped file, hence with the operating system; {@code kill -9} takes nothing away.
 *   <li>{@code SYNCED}: {@code ExcerptAppender.sync}, which is an {@code msync} of the pages since the last one. It
 *       waits for the device only if the queue has {@code SyncMode.SYNC}; with the default it is an {@code MS_ASYNC},
 *       which does nothing on Linux. Failures of {@code msync} are only logged by the library.
 * </ul>
 *
 * <p>A queue has no checksums. Its thread {@code background~resource~releaser}, one in a process, stays when the last
 * queue has been closed, and has nothing to do then.
 */
final class ChronicleEngine implements Engine {

    static final EngineKind KIND = EngineKind.of(
            "chronicle",
            "Chronicle Queue " + LibraryVersion.of("net.openhft", "chronicle-queue"),
            Survival.KILL,
            EngineKind.Reading.ANY_PROCESS,
            ChronicleEngine::new);

    static {
        // Chronicle's use of JNA would make a directory in the user's home.
        if (System.getProperty("jna.tmpdir") == null) {
            System.setProperty("jna.tmpdir", System.getProperty("java.io.tmpdir"));
        }
    }

    private final ChronicleQueue queue;
    private final int messageLength;
    private final boolean synced;
    private final List<ChronicleProducer> producers = new CopyOnWriteArrayList<>();

    ChronicleEngine(EngineConfig config) {
        messageLength = config.messageLength();
        synced = config.durability() == Durability.SYNCED;
        SingleChronicleQueueBuilder builder = SingleChronicleQueueBuilder.binary(config.directory());
        if (synced) {
            builder.syncMode(SyncMode.SYNC);
        }
        queue = builder.build();
    }

    @Override
    public Producer producer() {
        ChronicleProducer producer = new ChronicleProducer();
        producers.add(producer);
        return producer;
    }

    @Override
    public MessageReader reader() {
        return new ChronicleReader();
    }

    @Override
    public void drain() {
        producers.forEach(ChronicleProducer::commit);
    }

    @Override
    public void close() {
        producers.forEach(ChronicleProducer::close);
        queue.close();
        // Otherwise the files may be unmapped some time after this.
        BackgroundResourceReleaser.releasePendingResources();
    }

    private final class ChronicleProducer implements Producer {

        private final ByteBuffer message =
                ByteBuffer.allocateDirect(messageLength).order(ByteOrder.LITTLE_ENDIAN);
        private final Bytes<ByteBuffer> bytes = Bytes.wrapForRead(message);
        private final ExcerptAppender appender = queue.createAppender();

        ChronicleProducer() {
            // Handed to the thread that appends.
            appender.singleThreadedCheckDisabled(true);
            bytes.singleThreadedCheckDisabled(true);
        }

        @Override
        public ByteBuffer message() {
            return message;
        }

        @Override
        public void append() {
            appender.writeBytes(bytes);
        }

        @Override
        public void commit() {
            if (synced && !appender.isClosed()) {
                appender.sync();
            }
        }

        @Override
        public void close() {
            appender.close();
        }
    }

    private final class ChronicleReader implements MessageReader {

        private final Bytes<ByteBuffer> bytes = Bytes.elasticByteBuffer(messageLength, messageLength);
        private final ByteBuffer message = bytes.underlyingObject().order(ByteOrder.LITTLE_ENDIAN);
        private final ExcerptTailer tailer = queue.createTailer();

        ChronicleReader() {
            // Handed to the thread that reads.
            tailer.singleThreadedCheckDisabled(true);
            bytes.singleThreadedCheckDisabled(true);
        }

        @Override
        public int poll(Handler handler, int limit) {
            int count = 0;
            while (count < limit) {
                bytes.clear();
                if (!tailer.readBytes(bytes)) {
                    break;
                }
                handler.onMessage(message, 0, (int) bytes.readRemaining());
                count++;
            }
            return count;
        }

        @Override
        public void close() {
            tailer.close();
        }
    }
}
