package io.persist.log.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.log.Claim;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.log.read.Tailer;
import io.persist.testkit.CrashableStorage;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** All threads that share an attached log have one claim. A late abort must not harm the one that another has open. */
class SharedClaimTest {

    private static final int LENGTH = 100;

    private final Log log = Log.open(WriterKind.MAPPED.config().build(), new CrashableStorage());

    /** Whether the calling thread has the lock; without it, it is as any other thread. */
    private boolean isHeld = true;

    @BeforeEach
    void share() {
        log.guardedBy(() -> isHeld);
    }

    @AfterEach
    void close() {
        log.close();
    }

    /** After the look whether a claim is open, another thread may begin one. */
    @Test
    void shouldTouchNothingByAnAbortWhenNoClaimIsOpen() {
        Claim claim = log.claim(LENGTH);
        claim.publish();
        ByteBuffer payload = claim.payload().clear(); // as far as the next claim would make it
        assertThat(payload.remaining()).isPositive();
        isHeld = false;
        claim.abort();
        assertThat(claim.payload()).isSameAs(payload);
        assertThat(payload.remaining()).isEqualTo(payload.capacity());
    }

    @Test
    void shouldRefuseToAbortTheClaimOfTheThreadThatHasTheLock() {
        Claim claim = log.claim(LENGTH);
        isHeld = false;
        assertThatIllegalStateException().isThrownBy(claim::abort).withMessageContaining("without that lock");
        isHeld = true;
        assertThat(claim.payload().remaining()).isEqualTo(LENGTH);
        claim.publish();
        try (Tailer tailer = log.tailer()) {
            assertThat(tailer.next()).isTrue();
            assertThat(tailer.payload().remaining()).isEqualTo(LENGTH);
        }
    }
}
