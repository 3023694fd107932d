package io.persist.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.MessageLogger;
import io.persist.bench.record.MessageRecords;
import io.persist.bench.record.Messages;
import io.persist.bench.record.NumberedMessages;
import io.persist.bench.record.PatternMessages;
import io.persist.log.LogConfig;
import io.persist.log.read.Tailer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadPassTest {

    @TempDir
    Path directory;

    private final Stop stop = Stop.onInterrupt();
    private final PatternMessages messages = new PatternMessages(50);
    private MessageLogger log;

    @BeforeEach
    void open() {
        log = MessageLogger.open(
                LogConfig.builder(directory).segmentLength(1 << 20).build());
    }

    @AfterEach
    void close() {
        log.close();
        stop.close();
    }

    @Test
    void shouldBeginAtTheFirstSequence() throws ReadPass.VerificationException {
        log.append(new byte[] {1});
        log.append(new byte[] {2});
        log.append(messages.message(0));
        log.append(messages.message(1));

        assertThat(read(3, 2)).isEqualTo(2);
    }

    @Test
    void shouldFindARecordThatDiffers() {
        log.append(messages.message(0));
        byte[] changed = new byte[50];
        messages.message(1).get(0, changed);
        changed[17]++;
        log.append(changed);

        assertThatThrownBy(() -> read(1, 2))
                .isInstanceOf(ReadPass.VerificationException.class)
                .hasMessageStartingWith("verification failed: record 2 at position ")
                .hasMessageEndingWith("differs from what was written at byte 17");
    }

    @Test
    void shouldFindARecordOfAnotherLength() {
        log.append(new byte[49]);

        assertThatThrownBy(() -> read(1, 1)).hasMessageEndingWith("has 49 bytes, but 50 were written");
    }

    @Test
    void shouldFindThatRecordsAreMissing() {
        log.append(messages.message(0));

        assertThatThrownBy(() -> read(1, 2))
                .hasMessageEndingWith("the log ends after 1 of the 2 messages that were written");
    }

    @Test
    void shouldTakeTheMessagesOfSeveralProducersInEachOnesOrder() throws ReadPass.VerificationException {
        Messages numbered = appendNumbered(0, 1, 3, 2, 5, 4);

        assertThat(readOfTwo(numbered, 6)).isEqualTo(6);
    }

    @Test
    void shouldFindThatTheMessagesOfAProducerAreOutOfOrder() {
        Messages numbered = appendNumbered(0, 1, 5, 2, 3);

        assertThatThrownBy(() -> readOfTwo(numbered, 5))
                .hasMessageStartingWith("verification failed: record 3 at position ")
                .hasMessageEndingWith("has message 5, but message 3 is the next one of producer 1");
    }

    @Test
    void shouldFindAMessageThatIsThereTwice() {
        Messages numbered = appendNumbered(0, 1, 0);

        assertThatThrownBy(() -> readOfTwo(numbered, 3))
                .hasMessageContaining("has message 0, but message 2 is the next");
    }

    @Test
    void shouldFindARecordWithoutANumber() {
        log.append(new byte[7]);

        assertThatThrownBy(() -> readOfTwo(new NumberedMessages(messages), 1))
                .hasMessageContaining("has 7 bytes, too few for the number of its message");
    }

    @Test
    void shouldCompareTheMessagesOfSeveralProducersToo() {
        Messages numbered = new NumberedMessages(messages);
        byte[] changed = new byte[58];
        numbered.message(0).get(0, changed);
        changed[20]++;
        log.append(changed);

        assertThatThrownBy(() -> readOfTwo(numbered, 1))
                .hasMessageEndingWith("differs from what was written at byte 20");
    }

    private Messages appendNumbered(long... indexes) {
        Messages numbered = new NumberedMessages(messages);
        for (long index : indexes) {
            log.append(numbered.message(index));
        }
        return numbered;
    }

    private long readOfTwo(Messages numbered, long count) throws ReadPass.VerificationException {
        try (Tailer tailer = log.tailer()) {
            return new ReadPass(new MessageRecords(numbered), 2, stop)
                    .read(tailer, 1, count)
                    .count();
        }
    }

    private long read(long firstSequence, long count) throws ReadPass.VerificationException {
        try (Tailer tailer = log.tailer()) {
            return new ReadPass(new MessageRecords(messages), 1, stop)
                    .read(tailer, firstSequence, count)
                    .count();
        }
    }
}
