package io.persist.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.peers.engine.all.Engines;
import io.persist.peers.trial.Latencies;
import io.persist.peers.trial.Mode;
import io.persist.peers.trial.Trial;
import io.persist.peers.trial.TrialResult;
import java.util.Arrays;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** How the tables look. */
class PeersTableTest {

    @Test
    void shouldAlignFiguresAndSayWhatIsWeakerFailedOrLeftOut() {
        Plan plan = PlanTest.plan("--engines", "persist,persist-file,bare-copy,bare-dsync", "--modes", "buffered");
        Rounds rounds = new Rounds();
        RoundsTest.add(rounds, "persist", 1, 8_000_000);
        RoundsTest.add(rounds, "persist-file", 1, 999_000);

        assertThat(new PeersTable(plan, rounds).lines(Mode.BUFFERED).stream().skip(4))
                .containsExactly(
                        "| engine       | survives               |     ops/s | p50 us | p99 us | p99.9 us | max us |"
                                + " ops/s ratio |",
                        "|--------------|------------------------|----------:|-------:|-------:|---------:|-------:|"
                                + "------------:|",
                        "| persist      | kill -9                | 8,000,000 |      - |      - |        - |      - |"
                                + "        1.00 |",
                        "| persist-file | an orderly end, weaker |   999,000 |      - |      - |        - |      - |"
                                + "       0.125 |",
                        "| bare-copy    | kill -9                |    failed | failed | failed |   failed | failed |"
                                + "           - |",
                        "",
                        "Left out: bare-dsync: syncs each append.",
                        "");
    }

    @Test
    void shouldMarkPercentilesOfTooFewLatencies() {
        Plan plan = PlanTest.plan("--engines", "persist,chronicle", "--modes", "sync");
        Rounds rounds = new Rounds();
        addLatencies(rounds, "persist", 1, 10_000);
        addLatencies(rounds, "chronicle", 1, 10_000);
        addLatencies(rounds, "persist", 2, 10_000);
        addLatencies(rounds, "chronicle", 2, 9_999);

        List<String> lines = new PeersTable(plan, rounds).lines(Mode.SYNC);
        assertThat(lines)
                .anySatisfy(line -> assertThat(cells(line))
                        .startsWith("persist")
                        .endsWith("10,000", "1.00", "1.00", "1.00", "1.00", "1.00", "1.00", "1.00", "1.00"))
                .anySatisfy(line -> assertThat(cells(line))
                        .startsWith("chronicle")
                        .endsWith("10,000", "1.00", "1.00", "1.00*", "1.00", "1.00", "1.00", "1.00", "1.00*"));
        assertThat(lines)
                .contains("* Fewer than 10 latencies of a round are above it: longer trials (--seconds) say more.");
    }

    private static void addLatencies(Rounds rounds, String engine, int round, long count) {
        Histogram latencies = Latencies.empty();
        latencies.recordValueWithCount(1000, count);
        Trial trial = new Trial(engine, Mode.SYNC, round, 0, 1, 1, 1, 1, 256, 1, "");
        rounds.add(trial, TrialResult.of(10_000, 1_000_000_000, latencies));
    }

    private static List<String> cells(String line) {
        return Arrays.stream(line.split("\\|"))
                .map(String::strip)
                .filter(cell -> !cell.isEmpty())
                .toList();
    }

    @Test
    void shouldCompareWhatSurvivesInTheSameMode() {
        assertThat(PeersTable.survives(Mode.SYNC, Engines.byId("persist-file").orElseThrow()))
                .isEqualTo("a power cut");
        assertThat(PeersTable.survives(Mode.BUFFERED, Engines.byId("bare-dsync").orElseThrow()))
                .isEqualTo("a power cut, stronger");
    }

    @Test
    void shouldShowThreeDigits() {
        assertThat(PeersTable.significant(0.0012345)).isEqualTo("0.00123");
        assertThat(PeersTable.significant(0.12345)).isEqualTo("0.123");
        assertThat(PeersTable.significant(1)).isEqualTo("1.00");
        assertThat(PeersTable.significant(12.345)).isEqualTo("12.3");
        assertThat(PeersTable.significant(12_345.6)).isEqualTo("12,346");
        assertThat(PeersTable.significant(0)).isEqualTo("0");
    }
}
