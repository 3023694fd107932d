package io.persist.shard.location;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class SharedTest {

    /** The common pool may have one thread. */
    private static final Executor THREADS = task -> new Thread(task).start();

    private final List<String> closed = new ArrayList<>();
    private final Shared<String> all = new Shared<>(closed::add);
    private int opened;

    private String open() {
        opened++;
        return "opened " + opened;
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(1, TimeUnit.MINUTES);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** As a database that is not there, of which one hears late. */
    @Test
    void shouldNotWaitForAnotherNameThatIsBeingOpened() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        Supplier<Shared.Use<String>> late = () -> all.take("slow", () -> {
            begun.countDown();
            await(answered);
            return "slow";
        });
        CompletableFuture<Shared.Use<String>> slow = CompletableFuture.supplyAsync(late, THREADS);
        try {
            await(begun);
            get(CompletableFuture.runAsync(() -> all.giveBack(all.take("other", () -> "other")), THREADS));
            assertThat(closed).containsExactly("other");
            assertThat(slow).isNotDone();
        } finally {
            answered.countDown();
        }
        assertThat(get(slow).what()).isEqualTo("slow");
    }

    @Test
    void shouldOpenOnceForAllThatTakeIt() throws Exception {
        List<CompletableFuture<Shared.Use<String>>> taken = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            taken.add(CompletableFuture.supplyAsync(() -> all.take("a", this::open)));
        }
        for (CompletableFuture<Shared.Use<String>> each : taken) {
            assertThat(closed).isEmpty();
            assertThat(get(each).what()).isEqualTo("opened 1");
        }
        for (CompletableFuture<Shared.Use<String>> each : taken) {
            all.giveBack(get(each));
        }
        assertThat(closed).containsExactly("opened 1");
        assertThat(all.take("a", this::open).what()).isEqualTo("opened 2");
    }

    @Test
    void shouldOpenAgainAfterAFailure() {
        assertThatThrownBy(() -> all.take("a", () -> {
                    throw new IllegalStateException("not there");
                }))
                .hasMessage("not there");
        Shared.Use<String> use = all.take("a", this::open);
        all.giveBack(use);
        assertThat(closed).containsExactly("opened 1");
    }
}
