package io.persist.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.QueueFullException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetryingTargetTest {

    @Test
    void shouldWriteAndCommitAgainWhatWasRefused() {
        List<String> calls = new ArrayList<>();
        RetryingTarget target = new RetryingTarget(new Target() {
            @Override
            public void prepare(long index) {
                calls.add("prepare " + index);
            }

            @Override
            public long write() {
                calls.add("write");
                if (calls.size() < 4) {
                    throw new QueueFullException("full");
                }
                return 17;
            }

            @Override
            public long commit() {
                calls.add("commit");
                if (calls.size() < 7) {
                    throw new QueueFullException("full");
                }
                return 18;
            }
        });
        target.prepare(3);

        assertThat(target.write()).isEqualTo(17);
        assertThat(target.commit()).isEqualTo(18);
        assertThat(calls).containsExactly("prepare 3", "write", "write", "write", "commit", "commit", "commit");
        assertThat(target.refusals()).isEqualTo(4);
    }
}
