package io.persist.bench.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.persist.bench.rows.promise.RowPromise;
import io.persist.log.Durability;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class BatchModelTest {

    private static RowRun.Result result(long batchSize, double batchNs) {
        Histogram commits = new Histogram(3);
        commits.recordValueWithCount((long) batchNs, 10);
        RowPromise promise = new RowPromise(Durability.SYNCED, 0, "");
        return new RowRun.Result(
                RowEngines.plain().named("message"),
                promise,
                Instant.EPOCH,
                batchSize,
                10 * batchSize,
                (long) (10 * batchNs),
                commits,
                0,
                false);
    }

    private static BatchModel fit(double syncNs, double rowNs) {
        List<RowRun.Result> results = LongStream.of(1, 2, 4, 64, 4096)
                .mapToObj(size -> result(size, syncNs + size * rowNs))
                .toList();
        return BatchModel.fit(results);
    }

    @Test
    void shouldFindWhatTheMeasurementsWereMadeOf() {
        BatchModel model = fit(60_000, 350);
        assertThat(model.syncNs()).isCloseTo(60_000, within(100.0));
        assertThat(model.rowNs()).isCloseTo(350, within(1.0));
        assertThat(model.perSecond(1000)).isCloseTo(1000 * 1e9 / (60_000 + 350_000), within(2000.0));
    }

    @Test
    void shouldHaveNoNegativeParts() {
        BatchModel falling = BatchModel.fit(List.of(result(1, 1000), result(2, 900), result(4, 800)));
        assertThat(falling.rowNs()).isZero();
        assertThat(falling.syncNs()).isBetween(800.0, 1000.0);
        BatchModel steep = BatchModel.fit(List.of(result(1, 100), result(2, 1000), result(4, 4000)));
        assertThat(steep.syncNs()).isZero();
        assertThat(steep.rowNs()).isPositive();
    }
}
