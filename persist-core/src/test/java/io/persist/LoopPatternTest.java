package io.persist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.Prefill;
import io.persist.log.WriteMode;
import io.persist.log.read.Tailer;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The code that docs/patterns.md shows of a trading loop, run; {@link GuideSnippetsTest} compares the two texts. */
@Timeout(60)
class LoopPatternTest {

    private static final int ORDERS = 10_000;

    @TempDir
    private Path directory;

    private final List<Integer> pinned = new ArrayList<>();
    private volatile boolean isRunning = true;

    // snippet: patterns-loop
    /** Journals each order before it goes on. It belongs to this thread, since no other has used the journal yet. */
    private void run(MessageLogger journal, Queue<ByteBuffer> orders, Consumer<ByteBuffer> onward) {
        pinToCpu(4); // only now: the journal's own threads have the CPUs of the thread that opened it
        while (isRunning) {
            ByteBuffer order = orders.peek();
            if (order == null || journal.wouldWait(order.remaining())) {
                Thread.onSpinWait(); // or do something else, and ask again
                continue;
            }
            journal.append(order);
            journal.commit(Durability.BUFFERED); // no kill takes it away; syncedPosition() says what no power cut does
            onward.accept(orders.remove());
        }
    }
    // end

    private void pinToCpu(int cpu) {
        pinned.add(cpu);
    }

    @Test
    void shouldPrepareTheSpaceBeforeTheLoopBegins() {
        // snippet: patterns-loop-config
        LogConfig config = LogConfig.builder(directory)
                .segmentLength(256 << 20) // at the end of one the file system is asked
                .initialLength(4L << 30) // what a day takes, counted from the log's first record
                .prefill(Prefill.BEFORE_OPEN)
                .build();
        // end
        assertThat(config.writeMode()).isEqualTo(WriteMode.MAPPED);
    }

    @Test
    void shouldJournalEachOrderBeforeItGoesOn() throws Exception {
        Queue<ByteBuffer> orders = new ConcurrentLinkedQueue<>();
        for (int i = 0; i < ORDERS; i++) {
            orders.add(ByteBuffer.wrap(("order " + i).getBytes(UTF_8)));
        }
        LogConfig config = LogConfig.builder(directory)
                .segmentLength(64 << 10)
                .initialLength(256 << 10)
                .prefill(Prefill.BEFORE_OPEN)
                .build();
        List<String> sent = new ArrayList<>();
        try (MessageLogger journal = MessageLogger.open(config)) {
            FutureTask<Void> loop = new FutureTask<>(
                    () -> run(journal, orders, order -> {
                        sent.add(UTF_8.decode(order).toString());
                        isRunning = sent.size() < ORDERS;
                    }),
                    null);
            new Thread(loop, "loop").start();
            loop.get();
            assertThat(journal.lastSequence()).isEqualTo(ORDERS);
        }
        assertThat(pinned).containsExactly(4);
        List<String> journaled = new ArrayList<>();
        try (Tailer tailer = Tailer.open(directory)) {
            while (tailer.next()) {
                journaled.add(UTF_8.decode(tailer.payload()).toString());
            }
        }
        assertThat(sent).isEqualTo(journaled);
    }
}
