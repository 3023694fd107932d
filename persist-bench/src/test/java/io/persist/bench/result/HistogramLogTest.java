package io.persist.bench.result;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** A disk that is full for a while: the run must not look like one without those seconds. */
class HistogramLogTest {

    private final Histogram latencies = new Histogram(3);

    /** Has no space for the bytes of one write. */
    private static final class FullDisk extends OutputStream {

        private boolean isFull;

        @Override
        public void write(int one) throws IOException {
            if (isFull) {
                throw new IOException("No space left on device");
            }
        }
    }

    @Test
    void shouldSayThatItLacksSome() throws IOException {
        latencies.recordValue(1000);
        FullDisk disk = new FullDisk();
        HistogramLog cut = new HistogramLog(disk, 0);
        HistogramLog whole = new HistogramLog(new ByteArrayOutputStream(), 0);
        cut.add(latencies);
        disk.isFull = true;
        cut.add(latencies);
        disk.isFull = false;
        cut.add(latencies);
        whole.add(latencies);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> HistogramLog.closeAll(List.of(cut, whole)))
                .withMessageContaining("is the disk full?");
        assertThatCode(whole::close).doesNotThrowAnyException();
    }
}
