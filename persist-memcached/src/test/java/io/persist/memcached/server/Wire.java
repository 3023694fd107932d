package io.persist.memcached.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.persist.memcached.cache.Cache;
import io.persist.memcached.cache.Counters;
import io.persist.memcached.cache.Items;
import java.io.PrintStream;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A connection without a socket. */
final class Wire {

    private static final String SENTINEL = "VERSION " + Commands.VERSION + "\r\n";

    final Service service;
    final EmbeddedChannel channel = new EmbeddedChannel();
    private final GroupCommit commit;
    private final Queue<Runnable> tasks; // of the event loop, behind what it reads
    private final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(false);
    private @Nullable Error refusal;

    /** The only one of its event loop. */
    Wire(Service service) {
        this(service, Long.MAX_VALUE);
    }

    /** The same, of a loop that has room for so many bytes of answers that wait. */
    Wire(Service service, long mostHeldBytes) {
        this(service, new ConcurrentLinkedQueue<>(), mostHeldBytes, null);
    }

    /** One more of the event loop of {@code other}. */
    Wire(Wire other) {
        this(other.service, other.tasks, 0, other.commit);
    }

    private Wire(Service service, Queue<Runnable> tasks, long mostHeldBytes, @Nullable GroupCommit shared) {
        this.service = service;
        this.tasks = tasks;
        this.commit = shared == null
                ? new GroupCommit(this::queue, service.cache().items(), mostHeldBytes, service.failure()::complete)
                : shared;
        channel.config()
                .setAllocator(memory)
                .setWriteBufferWaterMark(Server.WATER_MARK)
                .setMessageSizeEstimator(Taken.ESTIMATOR);
        channel.pipeline().addLast(new Connection(service, commit));
    }

    /** From now on its loop takes no task, as if there were no memory for one, until this is null. */
    void refuseTasks(@Nullable Error refusal) {
        this.refusal = refusal;
    }

    private void queue(Runnable task) {
        if (refusal != null) {
            throw refusal;
        }
        tasks.add(task);
    }

    static Service service(Items items, LongSupplier nowSeconds) {
        return service(items, nowSeconds, System.err);
    }

    /** What a broken connection says goes to {@code err}. */
    static Service service(Items items, LongSupplier nowSeconds, PrintStream err) {
        Cache cache = new Cache(items, nowSeconds, new Counters());
        Stats stats = new Stats(cache, Map::of, Map.of(), err);
        return Service.of(cache, stats, Long.MAX_VALUE);
    }

    /** Receives this, as the only one; returns what is answered at once. */
    String send(String text) {
        receive(text);
        return answers();
    }

    /** Receives this; the event loop does not come to its tasks yet. */
    void receive(String text) {
        if (channel.isOpen()) {
            ByteBuf bytes = memory.buffer();
            bytes.writeCharSequence(text, ISO_8859_1);
            channel.pipeline().fireChannelRead(bytes).fireChannelReadComplete();
        }
    }

    /** What its buffers take, in bytes. */
    long taken() {
        return memory.metric().usedHeapMemory() + memory.metric().usedDirectMemory();
    }

    /** The client is gone; nothing may be left of it. */
    void close() {
        channel.close();
        answers();
        channel.checkException();
        assertThat(taken()).as("bytes that are left").isZero();
    }

    /** What was answered since. */
    String answers() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
        channel.runPendingTasks();
        StringBuilder text = new StringBuilder();
        for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
            text.append(next.toString(ISO_8859_1));
            next.release();
        }
        return text.toString();
    }

    /** Receives this, which ends between two requests; returns all answers, however late they come. */
    String exchange(String text) {
        StringBuilder answers = new StringBuilder(send(text + "version\r\n"));
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (answers.length() < SENTINEL.length()
                || answers.lastIndexOf(SENTINEL) != answers.length() - SENTINEL.length()) {
            assertThat(System.nanoTime()).as(answers.toString()).isLessThan(deadline);
            Thread.onSpinWait();
            answers.append(answers());
        }
        return answers.substring(0, answers.length() - SENTINEL.length());
    }
}
