package io.persist.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.bench.latency.LongPairs;
import io.persist.bench.latency.PositionTimes;
import io.persist.bench.latency.Target;
import io.persist.bench.record.MessageRecords;
import io.persist.bench.record.Messages;
import io.persist.bench.record.PatternMessages;
import io.persist.bench.subject.MessageJournal;
import io.persist.log.LogConfig;
import io.persist.log.TailerConfig;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TailReaderTest {

    private static final int COUNT = 1000;

    @TempDir
    Path directory;

    private final Messages messages = new PatternMessages(40);
    private final PositionTimes times = new PositionTimes(System::nanoTime, 0);
    private Journal journal;

    @BeforeEach
    void open() {
        LogConfig config = LogConfig.builder(directory).segmentLength(1 << 20).build();
        journal = MessageJournal.open(config, null, messages, 1);
    }

    @AfterEach
    void close() {
        journal.close();
    }

    @Test
    void shouldReadWhatIsWrittenFromItsStartOn() throws Exception {
        write(journal, 3);
        TailReader reader =
                TailReader.start(journal, TailerConfig.defaults(), new MessageRecords(messages.copy()), 1, times);

        long end = write(journal, COUNT);
        reader.await(new WriteLoop.Written(COUNT, 0, 0, end));
        reader.close();

        assertThat(reader.read().count()).isEqualTo(COUNT);
        LongPairs noted = times.take(new LongPairs(1));
        assertThat(noted.size()).isEqualTo(COUNT);
        assertThat(noted.first(COUNT - 1)).isEqualTo(end);
    }

    @Test
    void shouldTellThatARecordDiffers() throws Exception {
        TailReader reader = TailReader.start(
                journal, TailerConfig.defaults(), new MessageRecords(new PatternMessages(39)), 1, times);

        long end = write(journal, 2);

        assertThatThrownBy(() -> reader.await(new WriteLoop.Written(2, 0, 0, end)))
                .isInstanceOf(ReadPass.VerificationException.class)
                .hasMessageContaining("record 1 at position ")
                .hasMessageEndingWith("has 40 bytes, but 39 were written");
        reader.close();
    }

    @Test
    void shouldEndWhenItIsClosedBeforeEverythingIsThere() {
        TailReader reader =
                TailReader.start(journal, TailerConfig.defaults(), new MessageRecords(messages.copy()), 1, times);

        reader.close();

        assertThat(reader.read().count()).isZero();
        assertThat(reader.maxBehindRecords()).isZero();
    }

    private static long write(Journal journal, int count) {
        Target target = journal.target(0);
        long end = 0;
        for (int i = 0; i < count; i++) {
            target.prepare(i);
            end = target.write();
            target.commit();
        }
        return end;
    }
}
