package io.persist.matrix.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.MessageLogger;
import io.persist.format.Frame;
import io.persist.log.Claim;
import io.persist.log.ReadScope;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.testkit.CrashableStorage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * A reader sees nothing of a record that is being filled, and one of what is synced nothing that is not; and what is
 * stored of records are their bytes and zeros.
 */
public final class Unfinished implements Exercise {

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
        try (MessageLogger logger = SameLength.open(subject, storage);
                Tailer tailer = logger.tailer()) {
            claimIsHidden(logger, tailer);
            unsyncedIsHidden(storage, logger);
            paddingIsZero(storage, logger);
        }
        effort.tried(3);
    }

    private static void claimIsHidden(MessageLogger logger, Tailer tailer) {
        Claim claim = logger.claim(50);
        assertThat(tailer.next()).as("a claim that is open is seen").isFalse();
        ByteBuffer payload = claim.payload();
        while (payload.hasRemaining()) {
            payload.put((byte) 'a');
        }
        claim.publish();
        logger.flush();
        assertThat(SameLength.read(tailer)).as("what was claimed and published").isEqualTo("a");
    }

    private static void unsyncedIsHidden(CrashableStorage storage, MessageLogger logger) {
        logger.sync();
        TailerConfig config = TailerConfig.builder().readScope(ReadScope.SYNCED).build();
        try (Tailer synced = Tailer.open(storage, config)) {
            assertThat(SameLength.read(synced)).isEqualTo("a");
            SameLength.append(logger, 'b', 1, 10);
            logger.flush();
            assertThat(SameLength.read(synced)).as("what is not synced").isEmpty();
            logger.sync();
            assertThat(SameLength.read(synced)).as("what was synced").isEqualTo("b");
        }
    }

    /** Of records with all paddings, in places where the write buffer had others before. */
    private static void paddingIsZero(CrashableStorage storage, MessageLogger logger) {
        for (int length = 40; length < 72; length++) {
            SameLength.append(logger, 'c', 1, length);
        }
        logger.flush();
        ByteBuffer bytes = ByteBuffer.wrap(storage.content(SameLength.FIRST)).order(ByteOrder.LITTLE_ENDIAN);
        int at = 64;
        for (int length = Frame.length(bytes, at); length != 0; length = Frame.length(bytes, at)) {
            for (int pad = at + length; pad < at + Frame.aligned(length); pad++) {
                assertThat(bytes.get(pad))
                        .as("byte %d, behind the frame at %d", pad, at)
                        .isZero();
            }
            at += Frame.aligned(length);
        }
        assertThat((long) at).isEqualTo(logger.position());
    }
}
