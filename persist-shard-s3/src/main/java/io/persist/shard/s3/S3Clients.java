package io.persist.shard.s3;

import java.time.Duration;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.LegacyMd5Plugin;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.S3Configuration;

/** Makes the SDK's client of a place. */
final class S3Clients {

    /**
     * One more than the connections that the JVM keeps to a server ({@code http.maxConnections}): it tries each of them
     * for a PUT, and fails if the server has closed it meanwhile.
     */
    static final int ATTEMPTS = 6;

    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration SILENCE = Duration.ofSeconds(60);
    private static final Duration ATTEMPT = Duration.ofSeconds(90);
    private static final Duration CALL = Duration.ofSeconds(180);

    private S3Clients() {}

    /**
     * The client of {@code uri}.
     *
     * @throws software.amazon.awssdk.core.exception.SdkException if it is told no region
     */
    static S3Client of(S3Uri uri) {
        S3ClientBuilder builder = S3Client.builder()
                .credentialsProvider(DefaultCredentialsProvider.builder().build())
                .httpClientBuilder(UrlConnectionHttpClient.builder()
                        .connectionTimeout(CONNECT)
                        .socketTimeout(SILENCE))
                .overrideConfiguration(settings -> settings.apiCallTimeout(CALL)
                        .apiCallAttemptTimeout(ATTEMPT)
                        .retryStrategy(AwsRetryStrategy.standardRetryStrategy().toBuilder()
                                .maxAttempts(ATTEMPTS)
                                .build()))
                .serviceConfiguration(
                        S3Configuration.builder().expectContinueEnabled(false).build()) // a round trip for each object
                // Others than AWS seldom know the newer ways to send checksums. AWS gets the same, which is tested.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .addPlugin(LegacyMd5Plugin.create()); // for deletions: the one checksum that all stores take
        if (uri.region() != null) {
            builder.region(Region.of(uri.region()));
        }
        if (uri.endpoint() != null) {
            builder.endpointOverride(uri.endpoint()).forcePathStyle(true);
        }
        return builder.build();
    }
}
