package io.persist.matrix.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.MessageLogger;
import io.persist.log.ReadMode;
import io.persist.log.ReadScope;
import io.persist.log.read.Tailer;
import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.testkit.CrashableStorage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Payloads that a reader keeps are what they were, when the tailer has gone on and when it is closed. */
public final class KeptPayloads implements Exercise {

    private static final int COUNT = 40;

    @Override
    public Row row() {
        return Row.TAILING_READER;
    }

    @Override
    public List<Subject> subjects() {
        return Subject.attachedMessages();
    }

    @Override
    public void run(Subject subject, Effort effort) {
        CrashableStorage storage = new CrashableStorage();
        try (MessageLogger logger = SameLength.open(subject, storage)) {
            for (int i = 0; i < COUNT; i++) {
                SameLength.append(logger, (char) ('a' + i % 20), 1, 30);
            }
        }
        for (ReadMode mode : ReadMode.values()) {
            List<ByteBuffer> kept = new ArrayList<>();
            try (Tailer tailer = subject.tailer(storage, ReadScope.PUBLISHED, mode)) {
                while (tailer.next()) {
                    kept.add(tailer.payload());
                }
            }
            assertThat(kept).hasSize(COUNT);
            for (int i = 0; i < COUNT; i++) {
                assertThat(kept.get(i).remaining())
                        .as("length of payload %d", i)
                        .isEqualTo(30);
                assertThat(kept.get(i).get(0)).as("payload %d", i).isEqualTo((byte) ('a' + i % 20));
            }
            effort.tried(1);
        }
    }
}
