package io.persist.shard.bench.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.shard.bench.place.DataSet;
import org.junit.jupiter.api.Test;

class ScheduleTest {

    private static final long MS = 1_000_000;

    /** The last batch, which is shorter, comes earlier. */
    @Test
    void shouldHaveABatchDueWhenAllOfItsRecordsAreThere() {
        Schedule schedule = new Schedule(new DataSet(250, 64, 100), MS, 0);
        assertThat(schedule.dueNs(0)).isEqualTo(100 * MS);
        assertThat(schedule.dueNs(1)).isEqualTo(200 * MS);
        assertThat(schedule.dueNs(2)).isEqualTo(250 * MS);
        assertThat(schedule.bytesPerSecond()).isEqualTo(64_000);
        assertThat(schedule.seconds(50)).isEqualTo(0.05);
    }

    @Test
    void shouldHaveAllDueWhenTheTimeOfAllIsOver() {
        Schedule schedule = new Schedule(new DataSet(250, 64, 100), 1e-9, 0);
        schedule.start();
        while (schedule.elapsedNs() == 0) {
            Thread.onSpinWait();
        }
        assertThat(schedule.due()).isEqualTo(3);
        assertThat(schedule.dueRecords()).isEqualTo(250);
    }

    @Test
    void shouldGoOnBehindTheRecordsThatAreThere() {
        Schedule schedule = new Schedule(new DataSet(250, 64, 100), MS, 130);
        assertThat(schedule.dueNs(0)).isNegative();
        assertThat(schedule.dueNs(1)).isEqualTo(70 * MS);
        assertThat(schedule.dueNs(2)).isEqualTo(120 * MS);
        schedule.start();
        assertThat(schedule.due()).isPositive();
        assertThat(schedule.batchesBehind(130, 69 * MS)).isEqualTo(-1);
        assertThat(schedule.batchesBehind(130, 170 * MS)).isEqualTo(1);
    }

    @Test
    void shouldKnowHowFarTheRateIsAhead() {
        Schedule schedule = new Schedule(new DataSet(250, 64, 100), MS, 0);
        assertThat(schedule.batchesBehind(250, 250 * MS)).isEqualTo(-1);
        assertThat(schedule.batchesBehind(250, 399 * MS)).isZero();
        assertThat(schedule.batchesBehind(250, 500 * MS)).isEqualTo(2);
        assertThat(schedule.batchesBehind(100, 199 * MS)).isZero();
        assertThat(schedule.batchesBehind(0, 199 * MS)).isEqualTo(1);
    }
}
