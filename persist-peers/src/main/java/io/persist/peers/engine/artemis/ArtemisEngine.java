package io.persist.peers.engine.artemis;

import io.persist.log.Durability;
import io.persist.peers.engine.Engine;
import io.persist.peers.engine.EngineConfig;
import io.persist.peers.engine.EngineKind;
import io.persist.peers.engine.LibraryVersion;
import io.persist.peers.engine.MessageReader;
import io.persist.peers.engine.Producer;
import io.persist.peers.engine.Space;
import io.persist.peers.engine.Survival;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.activemq.artemis.ArtemisConstants;
import org.apache.activemq.artemis.core.io.SequentialFileFactory;
import org.apache.activemq.artemis.core.io.aio.AIOSequentialFileFactory;
import org.apache.activemq.artemis.core.io.mapped.MappedSequentialFileFactory;
import org.apache.activemq.artemis.core.io.nio.NIOSequentialFileFactory;
import org.apache.activemq.artemis.core.journal.RecordInfo;
import org.apache.activemq.artemis.core.journal.impl.JournalImpl;
import org.jspecify.annotations.Nullable;

/**
 * The journal of ActiveMQ Artemis, without its broker: files of 10 MiB, which is its default, filled with zeros when it
 * is opened: as many as the messages need, as its manual advises, or two, its default, where nothing is to be prepared.
 * The timeout of its write buffer is {@value #BUFFER_TIMEOUT_NS} ns instead of 3.3 ms (NIO) and 0.5 ms (AIO), since
 * each sync waits for it. No message is ever deleted, hence no compaction.
 *
 * <ul>
 *   <li>{@code BUFFERED}: {@code appendAddRecord} without sync: a task in the queue of a thread, on the heap. Only an
 *       orderly end takes nothing away. The queue has no bound; here a producer waits while {@value
 *       #MOST_BYTES_WAITING} bytes of messages are in it, as the credits of the broker would make it do.
 *   <li>{@code SYNCED}: {@code appendAddRecord} of the last message of a commit with sync, of the ones before without:
 *       one {@code fdatasync} (mapped: {@code msync}; AIO: a write past the page cache, then {@code fdatasync}) syncs
 *       all of them. The last message is known at the commit, so that each append hands over the one before. (Where a
 *       commit goes over the end of a file, the journal syncs the file before only when it closes it, a moment later.)
 * </ul>
 *
 * <p>An append allocates: a copy of the message, since another thread encodes it later, and what the journal keeps for
 * it. Nothing can be read while the journal is open; reading is its {@code load}, which puts all onto the heap.
 */
public final class ArtemisEngine implements Engine {

    private static final String LIBRARY =
            "Artemis journal " + LibraryVersion.of("org.apache.artemis", "artemis-journal");

    public static final EngineKind NIO = EngineKind.of(
            "artemis-nio",
            LIBRARY,
            Survival.ORDERLY_END,
            EngineKind.Reading.AFTER_CLOSE,
            config -> new ArtemisEngine(config, 1, ArtemisEngine::nio));

    public static final EngineKind MAPPED = EngineKind.of(
            "artemis-mapped",
            LIBRARY,
            Survival.ORDERLY_END,
            EngineKind.Reading.AFTER_CLOSE,
            config -> new ArtemisEngine(config, 1, ArtemisEngine::mapped));

    public static final EngineKind AIO = new EngineKind(
            "artemis-aio",
            LIBRARY,
            Survival.ORDERLY_END,
            EngineKind.Reading.AFTER_CLOSE,
            EnumSet.allOf(Space.class),
            config -> new ArtemisEngine(config, ArtemisEngine.AIO_MOST_WRITES, ArtemisEngine::aio),
            ArtemisEngine::aioMissing);

    private static final int FILE_LENGTH = 10 << 20;
    private static final int FILES_FILLED_AHEAD_MOST = 100;
    /** What the journal adds to a record. */
    private static final int RECORD_OVERHEAD = 32;

    private static final int BUFFER_LENGTH = ArtemisConstants.DEFAULT_JOURNAL_BUFFER_SIZE_NIO;
    private static final int BUFFER_TIMEOUT_NS = 60_000;
    private static final int AIO_MOST_WRITES = 500;
    private static final byte RECORD_TYPE = 1;
    private static final int MOST_BYTES_WAITING = 32 << 20;
    private static final int FEWEST_MESSAGES_WAITING = 1024;

    private final JournalImpl journal;
    private final int messageLength;
    private final boolean synced;
    private final long mostWaiting;
    private final List<ArtemisProducer> producers = new CopyOnWriteArrayList<>();
    private final ArtemisCompletions completions = new ArtemisCompletions();
    private final AtomicLong lastId = new AtomicLong();
    private boolean loaded;

    private ArtemisEngine(EngineConfig config, int mostWrites, Function<File, SequentialFileFactory> factory)
            throws IOException {
        messageLength = config.messageLength();
        synced = config.durability() == Durability.SYNCED;
        mostWaiting = Math.max(FEWEST_MESSAGES_WAITING, MOST_BYTES_WAITING / messageLength);
        boolean laysOut = config.space() == Space.PREPARED;
        long expectedLength = laysOut ? config.expectedMessages() * (messageLength + RECORD_OVERHEAD) : 0;
        int files = (int) Math.max(2, Math.min(FILES_FILLED_AHEAD_MOST, expectedLength / FILE_LENGTH + 2));
        SequentialFileFactory io = factory.apply(config.directory().toFile());
        journal = new JournalImpl(FILE_LENGTH, files, -1, 0, 0, io, "log", "journal", mostWrites);
        try {
            journal.start();
        } catch (Exception e) {
            throw failed(e);
        }
    }

    private static SequentialFileFactory nio(File directory) {
        return new NIOSequentialFileFactory(directory, true, BUFFER_LENGTH, BUFFER_TIMEOUT_NS, 1, false, null, null);
    }

    private static SequentialFileFactory mapped(File directory) {
        return new MappedSequentialFileFactory(directory, FILE_LENGTH, true, BUFFER_LENGTH, BUFFER_TIMEOUT_NS, null);
    }

    private static SequentialFileFactory aio(File directory) {
        return new AIOSequentialFileFactory(
                directory, BUFFER_LENGTH, BUFFER_TIMEOUT_NS, AIO_MOST_WRITES, false, null, null);
    }

    private static Optional<String> aioMissing() {
        return AIOSequentialFileFactory.isSupported()
                ? Optional.empty()
                : Optional.of("its native library does not load: it needs Linux on x86-64, libaio.so.1 (apt-get install"
                        + " libaio1), and bin/persist, which has unpacked it");
    }

    private static IOException failed(Exception e) {
        if (e instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        return new IOException("Artemis' journal failed: " + e.getMessage(), e);
    }

    @Override
    public Producer producer() throws IOException {
        load(null);
        ArtemisProducer producer = new ArtemisProducer();
        producers.add(producer);
        return producer;
    }

    @Override
    public MessageReader reader() {
        return new ArtemisReader();
    }

    /** The journal can be loaded once, and has to be before it is appended to. */
    private synchronized void load(@Nullable List<RecordInfo> records) throws IOException {
        if (loaded) {
            if (records != null) {
                throw new IllegalStateException("Artemis' journal can be read only before anything is appended");
            }
            return;
        }
        loaded = true;
        try {
            lastId.set(Math.max(0, journal.load(new ArtemisLoading(records)).getMaxID()));
        } catch (Exception e) {
            throw failed(e);
        }
        completions.startAt(lastId.get());
    }

    private void append(ArtemisRecord record) throws IOException {
        long id = lastId.incrementAndGet();
        completions.awaitAtLeast(id - mostWaiting);
        try {
            journal.appendAddRecord(id, RECORD_TYPE, record, false, completions);
        } catch (Exception e) {
            throw failed(e);
        }
    }

    private void appendSynced(ArtemisRecord record) throws IOException {
        try {
            journal.appendAddRecord(lastId.incrementAndGet(), RECORD_TYPE, record, true);
        } catch (Exception e) {
            throw failed(e);
        }
        completions.done();
    }

    @Override
    public void drain() throws IOException {
        for (ArtemisProducer producer : producers) {
            producer.commit();
        }
        completions.awaitAtLeast(lastId.get());
    }

    @Override
    public void close() throws IOException {
        try {
            drain();
        } finally {
            journal.stop();
        }
    }

    private final class ArtemisProducer implements Producer {

        private final byte[] bytes = new byte[messageLength];
        private final ByteBuffer message = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        /** At SYNCED: the last message, until the next one or the commit. */
        private @Nullable ArtemisRecord held;

        @Override
        public ByteBuffer message() {
            return message;
        }

        @Override
        public void append() throws IOException {
            ArtemisRecord record = new ArtemisRecord(bytes.clone());
            if (synced) {
                ArtemisRecord before = held;
                held = record;
                if (before == null) {
                    return;
                }
                record = before;
            }
            ArtemisEngine.this.append(record);
        }

        @Override
        public void commit() throws IOException {
            ArtemisRecord last = held;
            if (last != null) {
                held = null;
                appendSynced(last);
            }
        }

        @Override
        public void close() throws IOException {
            commit();
        }
    }

    /** Loads when it is first asked for messages, so that loading belongs to reading. */
    private final class ArtemisReader implements MessageReader {

        private @Nullable List<RecordInfo> records;
        private int next;

        @Override
        public int poll(Handler handler, int limit) throws IOException {
            if (records == null) {
                records = new ArrayList<>();
                load(records);
            }
            int count = Math.min(limit, records.size() - next);
            for (int i = 0; i < count; i++) {
                byte[] data = records.get(next++).data;
                handler.onMessage(ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN), 0, data.length);
            }
            return count;
        }

        @Override
        public void close() {
            records = new ArrayList<>();
            next = 0;
        }
    }
}
