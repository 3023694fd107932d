package io.persist;

import static io.persist.support.Buffers.longBytes;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.Gson;
import io.persist.codec.Decoder;
import io.persist.codec.Encoder;
import io.persist.codec.MessageOutput;
import io.persist.error.CommitTimeoutException;
import io.persist.error.LogIOException;
import io.persist.error.LogLockedException;
import io.persist.error.PersistException;
import io.persist.error.RetiredException;
import io.persist.log.Claim;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.FileMode;
import io.persist.log.LogConfig;
import io.persist.log.LogContent;
import io.persist.log.PositionListener;
import io.persist.log.Prefill;
import io.persist.log.ReadMode;
import io.persist.log.ReadScope;
import io.persist.log.RecordHandler;
import io.persist.log.RecoveryReport;
import io.persist.log.Registration;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.TailerConfig;
import io.persist.log.WaitStrategy;
import io.persist.log.WriteMode;
import io.persist.log.read.LogCursors;
import io.persist.log.read.Tailer;
import io.persist.monitor.LogStatistics;
import io.persist.packet.Packet;
import io.persist.packet.PacketMetadata;
import io.persist.packet.PacketOperation;
import io.persist.packet.PacketReader;
import io.persist.store.StoreConfig;
import io.persist.store.transaction.Transaction;
import io.persist.support.Await;
import java.io.File;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The code that README.md and docs/guide.md show, run. {@link GuideSnippetsTest} compares the two texts; after a change here
 * it rewrites the documents with {@code -Drewrite=true}.
 */
@Timeout(60)
class GuideTest {

    @TempDir
    Path directory;

    private final List<String> seen = Collections.synchronizedList(new ArrayList<>());
    private final AtomicLong replies = new AtomicLong();

    @Test
    void shouldShowTheExampleOfTheReadme() {
        // snippet: readme
        LogConfig config = LogConfig.builder(directory).build();
        try (MessageLogger logger = MessageLogger.open(config)) {
            logger.append("order 1 accepted".getBytes(UTF_8));
            logger.commit(Durability.SYNCED); // returns when the device has it
        }
        try (Tailer tailer = Tailer.open(directory)) {
            while (tailer.next()) {
                System.out.println(tailer.sequence() + ": " + UTF_8.decode(tailer.payload()));
            }
        }
        // end
        assertThat(read()).containsExactly("order 1 accepted");
    }

    @Test
    void shouldWriteDetached() throws InterruptedException {
        LogConfig config = LogConfig.builder(directory).build();
        // snippet: detached-open
        DetachedConfig detached = DetachedConfig.builder()
                .queueDepth(4096)
                .waitStrategy(WaitStrategy.YIELDING)
                .waitWhenFull(Duration.ofMillis(100)) // then QueueFullException; by default an append waits for ever
                .build();
        MessageLogger logger = MessageLogger.open(config, detached);
        // end
        byte[] trade = "trade".getBytes(UTF_8);
        byte[] quote = "quote".getBytes(UTF_8);
        // snippet: detached-append
        Thread trading = new Thread(() -> {
            logger.append(trade);
            logger.commit(Durability.SYNCED); // all that this thread has appended is on the device
        });
        Thread pricing = new Thread(() -> {
            logger.append(quote);
            logger.commit(Durability.BUFFERED); // goes on at once
        });
        // end
        trading.start();
        pricing.start();
        trading.join();
        pricing.join();
        // snippet: detached-close
        logger.close(); // writes what is in the queue, syncs, ends the writer thread
        // end
        assertThat(read()).containsExactlyInAnyOrder("trade", "quote");
    }

    @Test
    void shouldLearnLaterWhatIsSafe() {
        byte[] message = "hello".getBytes(UTF_8);
        MessageLogger logger = MessageLogger.open(
                LogConfig.builder(directory).build(), DetachedConfig.builder().build());
        // snippet: learn-poll
        long end = logger.append(message);
        logger.commitWithin(Duration.ofMillis(5)); // on the device in at most 5 ms; returns at once
        boolean isSafe = logger.syncedPosition() >= end; // to be asked again later
        // end
        // snippet: learn-future
        CompletableFuture<Long> synced = logger.reached(end, Durability.SYNCED);
        synced.thenAcceptAsync(position -> seen.add("safe up to " + position));
        // end
        // snippet: learn-listener
        Registration registration = logger.listen(
                Durability.SYNCED, position -> replies.setRelease(position)); // of the thread that syncs: be quick
        // end
        assertThat(isSafe).isIn(true, false);
        assertThat(synced.join()).isGreaterThanOrEqualTo(end);
        logger.append(message);
        logger.sync();
        Await.until("the listener is told", () -> replies.get() == logger.syncedPosition());
        registration.close();
        logger.close();
    }

    // snippet: would-wait
    boolean offer(MessageLogger logger, byte[] message) {
        if (logger.wouldWait(message.length)) {
            return false; // do something else, and ask again
        }
        logger.append(message);
        logger.commit(Durability.BUFFERED);
        return true;
    }
    // end

    @Test
    void shouldAskBeforeAnAppend() {
        LogConfig config = LogConfig.builder(directory).segmentLength(4 << 10).build();
        try (MessageLogger logger = MessageLogger.open(config)) {
            for (int i = 0; i < 100; i++) {
                Await.until("it does not wait", () -> offer(logger, new byte[1000]));
            }
            assertThat(logger.statistics().stalls()).isZero();
        }
        assertThat(read()).hasSize(100);
    }

    @Test
    void shouldAnswerEachClientOnce() {
        byte[] message = "hello".getBytes(UTF_8);
        MessageLogger logger = MessageLogger.open(
                LogConfig.builder(directory).build(), DetachedConfig.builder().build());
        // snippet: learn-listener-clients
        NavigableMap<Long, String> waiting = new ConcurrentSkipListMap<>(); // clients, by what they wait for
        PositionListener answer = synced -> {
            for (long end : waiting.headMap(synced, true).keySet()) {
                String client = waiting.remove(end);
                if (client != null) { // else another thread answers it
                    seen.add(client);
                }
            }
        };
        Registration registration = logger.listen(Durability.SYNCED, answer);
        long end = logger.append(message);
        logger.commitWithin(Duration.ofMillis(5));
        waiting.put(end, "client 7"); // first this, and then look: the listener may have been told already
        answer.onPosition(logger.syncedPosition());
        // end
        Await.until("the client has its answer", () -> seen.contains("client 7"));
        registration.close();
        logger.close();
        assertThat(seen).containsExactly("client 7");
    }

    @Test
    void shouldHandAnAttachedLoggerOver() throws InterruptedException {
        byte[] message = "hello".getBytes(UTF_8);
        MessageLogger logger = MessageLogger.open(LogConfig.builder(directory).build());
        // snippet: hand-over
        logger.append(message);
        logger.handOver(); // the next thread that calls has the logger, and all that this one did is done
        // end
        Thread other = new Thread(() -> logger.append(message));
        other.start();
        other.join();
        logger.close();
        assertThat(read()).containsExactly("hello", "hello");
    }

    @Test
    void shouldShareAnAttachedLogger() throws Exception {
        byte[] message = "hello".getBytes(UTF_8);
        // snippet: attached-lock
        ReentrantLock lock = new ReentrantLock();
        MessageLogger logger =
                MessageLogger.open(LogConfig.builder(directory).guardedBy(lock).build());
        Callable<Boolean> work = () -> {
            long end;
            lock.lock();
            try {
                end = logger.append(message);
            } finally {
                lock.unlock();
            }
            return logger.await(end, Durability.SYNCED, Duration.ofMinutes(1)); // outside of the lock: syncs are shared
        };
        // end
        FutureTask<Boolean> other = new FutureTask<>(work);
        new Thread(other).start();
        assertThat(work.call() && other.get()).isTrue();
        logger.close();
        assertThat(read()).containsExactly("hello", "hello");
    }

    @Test
    void shouldPinTheWriterThread() {
        // snippet: detached-thread
        DetachedConfig config = DetachedConfig.builder()
                .waitStrategy(WaitStrategy.BUSY_SPIN)
                .threadFactory(writer -> new Thread(
                        () -> {
                            pinToCpu(1); // net.openhft:affinity, or whatever you have for this
                            writer.run();
                        },
                        "journal"))
                .build();
        // end
        MessageLogger.open(LogConfig.builder(directory).build(), config).close();
        assertThat(seen).containsExactly("pinned to 1");
    }

    private void pinToCpu(int cpu) {
        seen.add("pinned to " + cpu);
    }

    @Test
    void shouldOpenAppendAndCommit() {
        byte[] message = "hello".getBytes(UTF_8);
        // snippet: open
        LogConfig config = LogConfig.builder(directory)
                .segmentLength(64 << 20)
                .durability(Durability.FLUSHED)
                .build();
        MessageLogger logger = MessageLogger.open(config);
        // end
        // snippet: append
        long end = logger.append(message);
        logger.append(message, 0, 4); // a part of an array
        logger.append(ByteBuffer.wrap(message)); // what remains of a buffer, whose position stays as it is
        // end
        assertThat(end).isEqualTo(96);
        // snippet: commit
        logger.commit(); // waits for the configured level
        logger.commit(Durability.SYNCED); // waits for this level
        // end
        assertThat(logger.syncedPosition()).isEqualTo(logger.position());
        // snippet: commit-bounded
        try {
            logger.commit(Durability.SYNCED, Duration.ofSeconds(30));
        } catch (CommitTimeoutException e) {
            seen.add(e.position() + " is committed, and not known to be on the device"); // await tells when it is
        }
        // end
        assertThat(seen).isEmpty();
        // snippet: close
        logger.close(); // syncs everything first
        // end
        assertThat(read()).containsExactly("hello", "hell", "hello");
    }

    @Test
    void shouldTellHowFarEachLevelIs() {
        try (MessageLogger logger = MessageLogger.open(small())) {
            byte[] message = "hello".getBytes(UTF_8);
            // snippet: levels
            long end = logger.append(message);
            logger.commit(Durability.BUFFERED);
            boolean isFlushed = logger.flushedPosition() >= end; // at once, in MAPPED mode
            logger.flush(); // now in either mode
            boolean isSynced = logger.syncedPosition() >= end; // not yet: a flush does not imply a sync
            logger.sync(); // now
            // end
            assertThat(isFlushed).isTrue();
            assertThat(isSynced).isFalse();
            assertThat(logger.syncedPosition()).isEqualTo(end);
        }
    }

    @Test
    void shouldAwaitALevelFromAnotherThread() throws InterruptedException {
        try (MessageLogger logger = MessageLogger.open(small())) {
            byte[] message = "hello".getBytes(UTF_8);
            AtomicBoolean safe = new AtomicBoolean();
            // snippet: await
            long end = logger.append(message);
            logger.commit(Durability.FLUSHED); // in FILE mode no other thread can flush
            Thread replier = new Thread(() -> {
                try {
                    if (logger.await(end, Durability.SYNCED, Duration.ofSeconds(30))) {
                        safe.set(true); // the place to answer the client
                    }
                } catch (InterruptedException e) {
                    // The thread was asked to end; the log goes on.
                }
            });
            replier.start();
            // end
            replier.join();
            assertThat(safe).isTrue();
        }
    }

    @Test
    void shouldFillAClaimInPlace() {
        try (MessageLogger logger = MessageLogger.open(small())) {
            long orderId = 7;
            long quantity = 100;
            // snippet: claim
            try (Claim claim = logger.claim(2 * Long.BYTES)) {
                claim.payload().putLong(orderId).putLong(quantity); // little-endian
                claim.publish(); // if something is thrown before, or you abort it, the record never was
            }
            // end
            logger.claim(10).abort();
            try (Tailer tailer = logger.tailer()) {
                assertThat(tailer.next()).isTrue();
                ByteBuffer payload = tailer.payload();
                assertThat(payload.getLong()).isEqualTo(7);
                assertThat(payload.getLong()).isEqualTo(100);
                assertThat(tailer.next()).isFalse();
            }
        }
    }

    // snippet: codec
    record Order(long id, int quantity) {}

    static final class OrderCodec implements Encoder<Order>, Decoder<Order> {

        @Override
        public void encode(Order order, MessageOutput output) {
            output.extend(Long.BYTES + Integer.BYTES).putLong(order.id()).putInt(order.quantity());
        }

        @Override
        public Order decode(ByteBuffer payload) {
            return new Order(payload.getLong(), payload.getInt());
        }
    }
    // end

    @Test
    void shouldAppendAndReadObjects() {
        try (MessageLogger logger = MessageLogger.open(small())) {
            // snippet: objects
            OrderCodec codec = new OrderCodec(); // keeps nothing, so one is enough for all threads
            logger.append(new Order(7, 100), codec);

            try (Tailer tailer = logger.tailer()) {
                while (tailer.next()) {
                    Order order = codec.decode(tailer.payload());
                    seen.add(order.id() + " x " + order.quantity());
                }
            }
            // end
            assertThat(seen).containsExactly("7 x 100");
        }
    }

    @Test
    void shouldWriteALengthInFront() {
        try (MessageLogger logger = MessageLogger.open(small())) {
            Gson gson = new Gson();
            // snippet: length-in-front
            Encoder<List<Order>> encoder = (orders, output) -> {
                for (Order order : orders) {
                    int start = output.length();
                    output.extend(Integer.BYTES); // room for the length
                    output.write(gson.toJson(order).getBytes(UTF_8));
                    int length = output.length() - start - Integer.BYTES;
                    output.overwrite(start, Integer.BYTES).putInt(length);
                }
            };
            // end
            logger.append(List.of(new Order(7, 100), new Order(8, 1_000_000)), encoder);
            try (Tailer tailer = logger.tailer()) {
                tailer.next();
                ByteBuffer payload = tailer.payload();
                while (payload.hasRemaining()) {
                    byte[] one = new byte[payload.getInt()];
                    payload.get(one);
                    seen.add(gson.fromJson(new String(one, UTF_8), Order.class).toString());
                }
            }
        }
        assertThat(seen).containsExactly(new Order(7, 100).toString(), new Order(8, 1_000_000).toString());
    }

    @Test
    void shouldAppendAndReadJson() {
        try (MessageLogger logger = MessageLogger.open(small())) {
            // snippet: codec-json
            Gson gson = new Gson();
            Encoder<Order> encoder =
                    (order, output) -> output.write(gson.toJson(order).getBytes(UTF_8));
            Decoder<Order> decoder =
                    payload -> gson.fromJson(UTF_8.decode(payload).toString(), Order.class);
            logger.append(new Order(7, 100), encoder);
            try (Tailer tailer = logger.tailer()) {
                tailer.next();
                Order order = decoder.read(tailer.payload());
                seen.add(order.id() + " x " + order.quantity());
            }
            // end
            assertThat(seen).containsExactly("7 x 100");
        }
        assertThat(read()).containsExactly("{\"id\":7,\"quantity\":100}");
    }

    @Test
    void shouldAppendFromADirectBuffer() {
        try (MessageLogger logger = MessageLogger.open(small())) {
            append(logger, asDirectBuffer("xhello".getBytes(UTF_8)), 1, 5);
        }
        assertThat(read()).containsExactly("hello");
    }

    // snippet: direct-buffer
    void append(MessageLogger logger, DirectBuffer encoded, int offset, int length) {
        logger.append(encoded, offset, length); // what an SBE encoder has written
    }
    // end

    @Test
    void shouldReadIntoADirectBuffer() {
        writeThree();
        DirectBuffer decoded = (DirectBuffer) Proxy.newProxyInstance(
                GuideTest.class.getClassLoader(), new Class<?>[] {DirectBuffer.class}, (proxy, method, args) -> {
                    ByteBuffer wrapped = ((ByteBuffer) args[0]).duplicate();
                    wrapped.limit((int) args[1] + (int) args[2]).position((int) args[1]);
                    return seen.add(UTF_8.decode(wrapped).toString());
                });
        try (Tailer tailer = Tailer.open(directory)) {
            read(tailer, decoded);
        }
        assertThat(seen).containsExactly("one", "two", "three");
    }

    // snippet: direct-buffer-read
    void read(Tailer tailer, DirectBuffer decoded) {
        while (tailer.next()) {
            ByteBuffer payload = tailer.payloadUntilNext();
            decoded.wrap(payload, payload.position(), payload.remaining()); // give it to an SBE decoder
        }
    }
    // end

    @Test
    void shouldWriteAndReadPackets() {
        LogConfig config = small();
        byte[] order = "order".getBytes(UTF_8);
        byte[] payment = "payment".getBytes(UTF_8);
        UUID account = new UUID(1, 2);
        // snippet: packet-write
        try (PacketLogger logger = PacketLogger.open(config)) {
            try (Packet packet = logger.packet()) {
                packet.metadata()
                        .operation(PacketOperation.UPDATE)
                        .objectId(account)
                        .transactionId(7); // or no metadata at all
                packet.add(order).add(payment); // two messages, both on the log or none of them
                logger.append(packet);
            }
            logger.commit(Durability.SYNCED);
        }
        // end
        // snippet: packet-read
        PacketReader reader = new PacketReader(); // one per reading thread
        TailerConfig packets =
                TailerConfig.builder().content(LogContent.PACKETS).build();
        try (Tailer tailer = Tailer.open(directory, packets)) {
            while (tailer.next()) {
                reader.wrap(tailer.payload(), tailer.position());
                if (reader.hasMetadata()) {
                    PacketMetadata metadata = reader.metadata();
                    seen.add(metadata.operation() + " by transaction " + metadata.transactionId());
                }
                while (reader.nextMessage()) {
                    seen.add(UTF_8.decode(reader.message()).toString());
                }
            }
        }
        // end
        assertThat(seen).containsExactly("UPDATE by transaction 7", "order", "payment");
    }

    /** Agrona's own buffers need a JVM flag, and the tests run without any: this one knows the one call it takes. */
    private static DirectBuffer asDirectBuffer(byte[] bytes) {
        return (DirectBuffer) Proxy.newProxyInstance(
                GuideTest.class.getClassLoader(), new Class<?>[] {DirectBuffer.class}, (proxy, method, args) -> {
                    ByteBuffer target = (ByteBuffer) args[1];
                    return target.put((int) args[2], bytes, (int) args[0], (int) args[3]);
                });
    }

    @Test
    void shouldReadWithAHandler() {
        writeThree();
        // snippet: read-handler
        RecordHandler handler = (position, sequence, payload) -> seen.add(sequence + ": " + UTF_8.decode(payload));
        try (Tailer tailer = Tailer.open(directory)) {
            while (tailer.poll(handler, 100) > 0) {
                // up to 100 records at a time; 0 says that there is nothing new
            }
        }
        // end
        assertThat(seen).containsExactly("1: one", "2: two", "3: three");
    }

    @Test
    void shouldReadWithACursor() {
        writeThree();
        // snippet: read-cursor
        try (Tailer tailer = Tailer.open(directory)) {
            while (tailer.next()) {
                String text = UTF_8.decode(tailer.payload()).toString();
                seen.add(tailer.sequence() + (tailer.startsCommit() ? " starts a commit: " : " goes on: ") + text);
            }
        }
        // end
        assertThat(seen).containsExactly("1 starts a commit: one", "2 goes on: two", "3 starts a commit: three");
    }

    @Test
    void shouldGoToAPositionOrASequenceNumber() {
        writeThree();
        // snippet: random-access
        try (Tailer tailer = Tailer.open(directory)) {
            tailer.toSequence(2);
            tailer.next();
            long position = tailer.position(); // where record 2 begins
            tailer.toEnd(); // after the newest record
            tailer.toPosition(position);
            tailer.next();
            seen.add(UTF_8.decode(tailer.payload()).toString());
            tailer.toStart(); // the oldest record that is still there
        }
        // end
        assertThat(seen).containsExactly("two");
    }

    @Test
    void shouldFindARecordByItsTime() {
        LogConfig config = LogConfig.builder(directory).segmentLength(4096).build();
        try (MessageLogger logger = MessageLogger.open(config);
                Tailer tailer = Tailer.open(directory)) {
            tailer.toFirst(payload -> payload.getLong() >= 7);
            assertThat(tailer.next()).as("in an empty log").isFalse();
            for (long timeMs = 10; timeMs <= 3000; timeMs += 10) {
                logger.append(longBytes(timeMs));
            }
            logger.commit();
            logger.retire(logger.planRetention(RetentionRule.below(2 * 4096)), Retirement.DELETE);
            tailer.toStart();
            tailer.next();
            long first = tailer.sequence();
            assertThat(first).isGreaterThan(1);
            assertThat(List.of(sequenceAt(tailer, 0), sequenceAt(tailer, 2501), sequenceAt(tailer, 3000)))
                    .containsExactly(first, 251L, 300L);
            tailer.toFirst(payload -> payload.getLong() >= 3001);
            assertThat(tailer.next()).isFalse();
            // snippet: to-last
            tailer.toLast(20); // to before the last 20 records; to the start if there are fewer
            // end
            assertThat(tailer.next()).isTrue();
            assertThat(tailer.sequence()).isEqualTo(281);
        }
    }

    private long sequenceAt(Tailer tailer, long timeMs) {
        // snippet: to-first
        tailer.toFirst(payload -> payload.getLong() >= timeMs); // the message begins with its time
        // end
        assertThat(tailer.next()).isTrue();
        return tailer.sequence();
    }

    @Test
    void shouldGoOnWhereAReaderStopped() {
        writeThree();
        long savedId;
        long saved;
        try (Tailer tailer = Tailer.open(directory)) {
            tailer.next();
            // snippet: cursor-save
            savedId = tailer.logId();
            saved = tailer.nextPosition(); // 8 bytes each, to be kept wherever the reader keeps its results
            // end
        }
        // snippet: cursor-restore
        try (Tailer tailer = Tailer.open(directory)) {
            if (tailer.logId() != savedId) {
                throw new IllegalStateException("the results are of another log: make them anew");
            }
            tailer.toPosition(saved);
            while (tailer.next()) {
                seen.add(UTF_8.decode(tailer.payload()).toString());
            }
        }
        // end
        assertThat(seen).containsExactly("two", "three");
    }

    /** Before the second run the segment is ended, and before the third one it is gone. */
    private void rollOrRetire(int run) {
        try (MessageLogger logger = MessageLogger.open(small())) {
            if (run == 1) {
                logger.roll();
                logger.sync();
            } else if (run == 2) {
                logger.append("four".getBytes(UTF_8));
                logger.sync();
                logger.retire(logger.planRetention(RetentionRule.below(logger.position())), Retirement.DELETE);
            }
        }
    }

    @Test
    void shouldCountEachRecordOnceWithThePositionBesideTheResults(@TempDir Path place) {
        writeThree();
        byte[] position = "position".getBytes(UTF_8);
        TailerConfig syncedOnly =
                TailerConfig.builder().readScope(ReadScope.SYNCED).build();
        StoreConfig config = StoreConfig.builder(
                        LogConfig.builder(place).segmentLength(1 << 20).build())
                .build();
        for (int run = 0; run < 3; run++) {
            rollOrRetire(run);
            try (StoreLogger results = StoreLogger.open(config)) {
                // snippet: cursor-both
                try (Tailer tailer = Tailer.open(directory, "balances", syncedOnly)) {
                    ByteBuffer reached = results.get(position); // in the store where the results are
                    if (reached == null) {
                        tailer.toSequence(1); // wherever the cursor is: new results need all records
                    } else if (reached.getLong() != tailer.logId()) {
                        throw new IllegalStateException("the results are of another log: make them anew");
                    } else {
                        tailer.toPosition(reached.getLong());
                    }
                    while (tailer.next()) {
                        try (Transaction transaction = results.begin()) {
                            transaction.put(tailer.payloadBytes(), longBytes(tailer.sequence())); // the result
                            byte[] reaches = longBytes(tailer.logId(), tailer.nextPosition());
                            transaction.put(position, reaches); // both, or none of them
                            transaction.commit(Durability.BUFFERED);
                        }
                    }
                    // Just what the cursor gets: that may be behind the end of a segment.
                    results.put(position, longBytes(tailer.logId(), tailer.nextPosition()));
                    results.sync(); // first the results, then the cursor: it never passes what they lack
                    tailer.store();
                }
                // end
                assertThat(results.logStatistics().records())
                        .isEqualTo(List.of(4L, 1L, 2L).get(run));
                assertThat(results.get("three".getBytes(UTF_8)).getLong()).isEqualTo(3);
                assertThat(LogMonitor.open(directory).read().cursors().get("balances"))
                        .isEqualTo(results.get(position).getLong(Long.BYTES));
            }
        }
    }

    @Test
    void shouldGoOnWhereANamedReaderStopped() {
        writeThree();
        for (int run = 0; run < 2; run++) {
            // snippet: cursor-register
            LogCursors.open(directory).register("billing"); // does nothing if the name is there, in use or not
            // end
            // snippet: cursor-named
            try (Tailer tailer = Tailer.open(directory, "billing")) {
                while (tailer.next()) {
                    seen.add(UTF_8.decode(tailer.payload()).toString());
                }
                tailer.store(); // the next run goes on here
            }
            // end
        }
        assertThat(seen).containsExactly("one", "two", "three");
    }

    @Test
    void shouldBeginWithANewNameAtTheEnd() {
        writeThree();
        // snippet: cursor-from-now-on
        try (Tailer tailer = Tailer.open(directory, "monitor")) {
            tailer.toEnd();
            tailer.store(); // each later run begins with what is appended from now on
        }
        // end
        try (MessageLogger logger = MessageLogger.open(small())) {
            logger.append("four".getBytes(UTF_8));
        }
        try (Tailer tailer = Tailer.open(directory, "monitor")) {
            assertThat(tailer.next()).isTrue();
            assertThat(UTF_8.decode(tailer.payload()).toString()).isEqualTo("four");
            assertThat(tailer.next()).isFalse();
        }
    }

    @Test
    void shouldReadSyncedRecordsOnly() {
        try (MessageLogger logger = MessageLogger.open(small())) {
            logger.append("one".getBytes(UTF_8));
            logger.sync();
            logger.append("two".getBytes(UTF_8));
            // snippet: read-synced
            TailerConfig syncedOnly =
                    TailerConfig.builder().readScope(ReadScope.SYNCED).build();
            try (Tailer tailer = Tailer.open(directory, syncedOnly)) {
                while (tailer.next()) {
                    seen.add(UTF_8.decode(tailer.payload()).toString());
                }
            }
            // end
        }
        assertThat(seen).containsExactly("one");
    }

    @Test
    void shouldTailALogThatIsBeingWritten() throws InterruptedException {
        AtomicBoolean running = new AtomicBoolean(true);
        RecordHandler handler = (position, sequence, payload) -> {
            seen.add(UTF_8.decode(payload).toString());
            running.set(sequence < 3);
        };
        Thread writer = new Thread(this::writeThree);
        writer.start();
        // snippet: tail
        try (Tailer tailer = Tailer.open(directory)) {
            while (running.get()) {
                if (tailer.poll(handler, 64) == 0) {
                    LockSupport.parkNanos(20_000); // or Thread.onSpinWait(), if there is a core to spare
                }
            }
        }
        // end
        writer.join();
        assertThat(seen).containsExactly("one", "two", "three");
    }

    @Test
    void shouldCopyALogOfPacketsToAnotherMachine() {
        try (PacketLogger logger = PacketLogger.open(small())) {
            logger.append(logger.packet().add("order".getBytes(UTF_8)).add("payment".getBytes(UTF_8)));
        }
        LogConfig elsewhere = LogConfig.builder(directory.resolve("copy")).build();
        PacketReader reader = new PacketReader();
        try (PacketLogger copy = PacketLogger.open(elsewhere)) {
            // snippet: copy-packets
            TailerConfig packets = TailerConfig.builder()
                    .readScope(ReadScope.SYNCED)
                    .content(LogContent.PACKETS)
                    .build();
            try (Tailer tailer = Tailer.open(directory, "standby", packets)) {
                tailer.toSequence(copy.lastSequence() + 1);
                while (tailer.next()) {
                    copy.append(tailer.payload()); // the bytes of a packet; anything else is refused
                }
            }
            // end
            try (Tailer tailer = copy.tailer()) {
                while (tailer.next()) {
                    reader.wrap(tailer.payload());
                    while (reader.nextMessage()) {
                        seen.add(UTF_8.decode(reader.message()).toString());
                    }
                }
            }
        }
        assertThat(seen).containsExactly("order", "payment");
    }

    @Test
    void shouldCopyALogToAnotherMachine() {
        writeThree();
        LogConfig elsewhere = LogConfig.builder(directory.resolve("copy")).build();
        TailerConfig syncedOnly =
                TailerConfig.builder().readScope(ReadScope.SYNCED).build();
        for (int run = 0; run < 2; run++) {
            try (MessageLogger copy = MessageLogger.open(elsewhere)) {
                // snippet: copy-log
                try (Tailer tailer = Tailer.open(directory, "standby", syncedOnly)) {
                    tailer.toSequence(copy.lastSequence() + 1); // the copy tells it when it connects
                    while (tailer.next()) {
                        if (tailer.startsCommit()) {
                            copy.commit(Durability.BUFFERED); // a boundary where the original has one
                        }
                        copy.append(tailer.payload()); // the network lies in between
                    }
                    copy.sync();
                    tailer.store(); // when the copy has answered that all this is synced
                }
                // end
            }
        }
        try (Tailer tailer = Tailer.open(elsewhere.directory())) {
            while (tailer.next()) {
                seen.add(UTF_8.decode(tailer.payload()).toString());
            }
        }
        assertThat(seen).containsExactly("one", "two", "three");
    }

    @Test
    void shouldTakeOldSegmentsAway() {
        try (MessageLogger logger = MessageLogger.open(small())) {
            for (int i = 0; i < 200; i++) {
                logger.append(new byte[100]);
            }
            // snippet: retention
            RetentionPlan plan = logger.planRetention(RetentionRule.keepBytes(8 << 10)); // a dry run
            for (RetentionPlan.Item segment : plan.retired()) {
                seen.add("would go: " + segment.file());
            }
            for (RetentionPlan.Held held : plan.held()) {
                seen.add("has to stay: " + held.segment().file() + ", because " + held.why());
            }
            logger.retire(plan, Retirement.RECYCLE); // or Retirement.DELETE
            // end
            assertThat(plan.retired()).hasSizeGreaterThan(1);
            assertThat(seen).contains("would go: 00000000000000000000.log");
            assertThat(directory.resolve("00000000000000000000.log")).doesNotExist();
            // snippet: retention-rules
            List<RetentionRule> rules = List.of(
                    RetentionRule.below(4096), // segments wholly below a position, such as the slowest reader's
                    RetentionRule.keepBytes(10L << 30), // down to so many bytes
                    RetentionRule.keepAge(Duration.ofDays(7))); // sealed longer ago than this
            // end
            assertThat(rules)
                    .allSatisfy(rule -> assertThat(logger.planRetention(rule)).isNotNull());
        }
    }

    @Test
    void shouldEndASegmentWithTheDay() {
        try (MessageLogger logger = MessageLogger.open(small())) {
            LocalDate day = LocalDate.now().minusDays(1);
            logger.append("of yesterday".getBytes(UTF_8));
            // snippet: end-a-segment
            LocalDate today = LocalDate.now();
            if (!today.equals(day)) { // asked by the thread that appends
                RetentionRule week = RetentionRule.keepAge(Duration.ofDays(7));
                logger.retire(logger.planRetention(week), Retirement.DELETE); // first: to roll needs space
                long end = logger.roll();
                logger.append(("day " + today).getBytes(UTF_8));
                logger.commit();
                seen.add("yesterday ends at position " + end);
                day = today;
            }
            // end
            assertThat(seen).containsExactly("yesterday ends at position 4096");
            assertThat(logger.lastPosition()).isEqualTo(4160);
            assertThat(logger.planRetention(RetentionRule.below(4160)).retired())
                    .hasSize(1);
            assertThat(day).isEqualTo(today);
        }
    }

    @Test
    void shouldSayWhatOpeningFound() {
        writeThree();
        LogConfig config = small();
        // snippet: recovery
        try (MessageLogger logger = MessageLogger.open(config)) {
            RecoveryReport report = logger.recovery();
            seen.add(report.describe()); // a line for the application's log
            if (report.cut().bytes() > 0) {
                seen.add("kept as evidence: " + report.cut().setAside());
            }
            long next = logger.lastSequence() + 1; // what the next append gets
            seen.add("next is " + next);
        }
        // end
        assertThat(seen).hasSize(2).last().isEqualTo("next is 4");
        assertThat(seen.get(0)).startsWith("log was closed: row A (the log ends here)");
    }

    @Test
    void shouldTellTheKindsOfErrorsApart() throws Exception {
        Path file = Files.createFile(new File(directory.toFile(), "a-file").toPath());
        LogConfig config = LogConfig.builder(file).build();
        assertThatThrownBy(() -> openOrExplain(config))
                .isInstanceOf(IllegalStateException.class)
                .hasCauseInstanceOf(LogIOException.class);
        LogConfig good = small();
        try (MessageLogger holder = MessageLogger.open(good)) {
            assertThat(holder.position()).isPositive();
            assertThatThrownBy(() -> openOrExplain(good)).hasCauseInstanceOf(LogLockedException.class);
        }
    }

    // snippet: errors-open
    MessageLogger openOrExplain(LogConfig config) {
        try {
            return MessageLogger.open(config);
        } catch (PersistException e) {
            // One line that says what happened, the value, and what to do about it.
            throw new IllegalStateException("cannot start: " + e.getMessage(), e);
        }
    }
    // end

    @Test
    void shouldGoOnAfterRetentionHasOvertakenATailer() {
        LogConfig config = small();
        try (MessageLogger logger = MessageLogger.open(config);
                Tailer tailer = Tailer.open(directory)) {
            for (int i = 0; i < 200; i++) {
                logger.append(new byte[100]);
            }
            logger.retire(logger.planRetention(RetentionRule.keepBytes(8 << 10)), Retirement.DELETE);
            RecordHandler handler = (position, sequence, payload) -> seen.add(String.valueOf(sequence));
            // snippet: errors-retired
            try {
                tailer.poll(handler, 1000);
            } catch (RetiredException e) {
                tailer.toStart(); // the records in between are gone
            }
            // end
            seen.clear();
            tailer.poll(handler, 1000);
            assertThat(seen).isNotEmpty().last().isEqualTo("200");
        }
    }

    @Test
    void shouldWriteThroughTheFile() {
        byte[] message = "hello".getBytes(UTF_8);
        // snippet: file-mode
        LogConfig config = LogConfig.builder(directory)
                .writeMode(WriteMode.FILE)
                .fileMode(FileMode.RW) // RWD or RWS: each write of the buffer is synced
                .writeBufferLength(64 << 10)
                .build();
        TailerConfig reading = TailerConfig.builder().readMode(ReadMode.FILE).build();
        // end
        try (MessageLogger logger = MessageLogger.open(config);
                Tailer tailer = logger.tailer(reading)) {
            // snippet: file-mode-visibility
            logger.append(message);
            boolean before = tailer.next(); // false: it is in the write buffer
            logger.flush();
            boolean after = tailer.next(); // true
            // end
            assertThat(before).isFalse();
            assertThat(after).isTrue();
        }
    }

    @Test
    void shouldFillTheInitialLengthBeforeOpening() {
        Path directory = this.directory.resolve("filled");
        // snippet: prefill
        LogConfig config = LogConfig.builder(directory)
                .segmentLength(1 << 20)
                .initialLength(4 << 20)
                .prefill(Prefill.BEFORE_OPEN)
                .build();
        // end
        MessageLogger.open(config).close();
        assertThat(directory.resolve("00000000000003145728.log")).hasSize(1 << 20);
    }

    @Test
    void shouldTellNumbers() {
        try (MessageLogger logger = MessageLogger.open(small())) {
            logger.append("hello".getBytes(UTF_8));
            logger.commit();
            // snippet: statistics
            LogStatistics statistics = logger.statistics();
            seen.add(statistics.records() + " records with " + statistics.bytes() + " bytes");
            seen.add(statistics.stalls() + " stalls, " + statistics.stallNs() + " ns in all");
            // end
            assertThat(seen).containsExactly("1 records with 5 bytes", "0 stalls, 0 ns in all");
            // snippet: monitor
            LogMonitor monitor = LogMonitor.open(directory);
            LogMonitor.Reading now = monitor.read(); // as often as you like; nothing stays open
            seen.add(now.writer() + ", " + now.unsyncedBytes() + " committed bytes are not synced");
            seen.add(now.statistics().commits() + " commits");
            LogMonitor.Extent extent = monitor.extent();
            seen.add(extent.bytes() + " bytes in " + extent.segments() + " segments, the disk has room for "
                    + extent.usableBytes());
            // end
            assertThat(seen)
                    .contains("LIVE, 96 committed bytes are not synced", "1 commits")
                    .anyMatch(line -> line.matches("96 bytes in 1 segments, the disk has room for [0-9]+"));
        }
    }

    private LogConfig small() {
        return LogConfig.builder(directory).segmentLength(4096).build();
    }

    /** One commit of two records, and one of one. */
    private void writeThree() {
        try (MessageLogger logger = MessageLogger.open(small())) {
            logger.append("one".getBytes(UTF_8));
            logger.append("two".getBytes(UTF_8));
            logger.commit();
            logger.append("three".getBytes(UTF_8));
            logger.commit();
        }
    }

    private List<String> read() {
        List<String> texts = new ArrayList<>();
        try (Tailer tailer = Tailer.open(directory)) {
            while (tailer.next()) {
                texts.add(UTF_8.decode(tailer.payload()).toString());
            }
        }
        return texts;
    }
}
