package io.persist.log.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.log.thread.CallingThread.Rule;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What closes a thing when an error comes meanwhile; ClosedMeanwhileTest has the rest. */
class CallingThreadTest {

    private final AtomicInteger ends = new AtomicInteger();

    private static CallingThread usedBefore(Supplier<Rule> rules) throws InterruptedException {
        CallingThread caller = new CallingThread(rules);
        Thread user = new Thread(caller::enter);
        user.start();
        user.join();
        return caller;
    }

    /** The JVM throws it at any call, and for a page that the thread has read before. */
    @Test
    void shouldCloseThoughALateErrorComes() throws InterruptedException {
        AtomicInteger looks = new AtomicInteger();
        CallingThread caller = usedBefore(() -> {
            if (looks.incrementAndGet() == 1) {
                throw new InternalError("a fault that was met earlier");
            }
            return stack -> false;
        });
        caller.close(ends::incrementAndGet);
        assertThat(looks).hasValue(2);
        assertThat(ends).hasValue(1);
    }

    @Test
    void shouldThrowWhatEndingThrows_AndEndItAtTheNextCall() throws InterruptedException {
        CallingThread caller = usedBefore(() -> stack -> false);
        Runnable end = () -> {
            if (ends.incrementAndGet() == 1) {
                throw new InternalError("of what is closed");
            }
        };
        assertThatExceptionOfType(InternalError.class).isThrownBy(() -> caller.close(end));
        assertThat(ends).hasValue(1);
        caller.close(end);
        caller.close(end);
        assertThat(ends).hasValue(2);
    }
}
