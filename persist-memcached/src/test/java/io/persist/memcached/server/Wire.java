package io.persist.memcached.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.persist.memcached.cache.Cache;
import io.persist.memcached.cache.Counters;
import io.persist.memcached.cache.Items;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** A connection without a socket. */
final class Wire {

    private static final String SENTINEL = "VERSION " + Commands.VERSION + "\r\n";

    final Service service;
    final EmbeddedChannel channel = new EmbeddedChannel();
    private final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(false);

    Wire(Service service) {
        this.service = service;
        channel.config().setAllocator(memory);
        channel.pipeline().addLast(new Connection(service));
    }

    static Service service(Items items, LongSupplier nowSeconds) {
        Cache cache = new Cache(items, nowSeconds, new Counters());
        Stats stats = new Stats(cache, Map::of, Map.of(), System.err);
        return new Service(cache, stats, stats.open(), new CompletableFuture<>());
    }

    /** Receives this; returns what is answered at once. */
    String send(String text) {
        if (channel.isOpen()) {
            ByteBuf bytes = memory.buffer();
            bytes.writeCharSequence(text, ISO_8859_1);
            channel.writeInbound(bytes);
        }
        return answers();
    }

    /** The client is gone; nothing may be left of it. */
    void close() {
        channel.close();
        answers();
        channel.checkException();
        assertThat(memory.metric().usedHeapMemory() + memory.metric().usedDirectMemory())
                .as("bytes that are left")
                .isZero();
    }

    /** What was answered since. */
    String answers() {
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
