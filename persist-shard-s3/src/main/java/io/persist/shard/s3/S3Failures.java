package io.persist.shard.s3;

import io.persist.shard.error.DeterminateException;
import io.persist.shard.error.IndeterminateException;
import io.persist.shard.error.LocationException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.EnumMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.SdkSystemSetting;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * What a {@link SdkException} says: whether the operation may have happened, and what to do.
 *
 * <pre>
 *    a read                                                       changes nothing    determinate
 *    the first attempt was refused by a status from 400 to 499    nothing was done   determinate
 *    all else: another status, no answer, a later attempt         it may have        indeterminate
 * </pre>
 */
final class S3Failures {

    private static final int BAD_REQUEST = 400;
    private static final int SERVER_ERROR = 500;
    private static final int MOVED = 301;
    private static final int FORBIDDEN = 403;

    /** What follows are the SDK's classes, and why each has found nothing: a thousand characters before the advice. */
    private static final String PROVIDERS = " from any of the providers";

    /** Those classes, by what makes them look: of what is set it is worth telling why it does not do. */
    private static final Map<SdkSystemSetting, String> LOOKING = new EnumMap<>(Map.of(
            SdkSystemSetting.AWS_WEB_IDENTITY_TOKEN_FILE, "WebIdentityTokenFileCredentialsProvider",
            SdkSystemSetting.AWS_CONTAINER_CREDENTIALS_FULL_URI, "ContainerCredentialsProvider",
            SdkSystemSetting.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI, "ContainerCredentialsProvider"));

    private final S3Uri uri;

    S3Failures(S3Uri uri) {
        this.uri = uri;
    }

    LocationException read(String operation, SdkException failed) {
        return new DeterminateException(message(operation, failed), failed);
    }

    LocationException write(String operation, SdkException failed) {
        boolean isRefusal = failed instanceof AwsServiceException answer
                && answer.statusCode() >= BAD_REQUEST
                && answer.statusCode() < SERVER_ERROR;
        if (isRefusal && attempts(failed) <= 1) {
            return new DeterminateException(message(operation, failed), failed);
        }
        return new IndeterminateException(message(operation, failed), failed);
    }

    private static int attempts(SdkException failed) {
        Integer attempts = failed.numAttempts();
        return attempts == null ? 1 : attempts;
    }

    private String message(String operation, SdkException failed) {
        String text = failed.getMessage() == null ? failed.toString() : failed.getMessage();
        String line = text.lines().findFirst().orElse("");
        int providers = line.indexOf(PROVIDERS);
        line = providers < 0 ? line : line.substring(0, providers) + whatIsSet(text);
        return uri.shown() + ": " + operation + ": " + line + advice(failed, text);
    }

    private static String whatIsSet(String text) {
        StringBuilder reasons = new StringBuilder();
        LOOKING.forEach((setting, provider) -> {
            Matcher reason = Pattern.compile(
                            provider + "\\([^()]*\\): (.*?)(, \\w+CredentialsProvider\\(|]$)", Pattern.DOTALL)
                    .matcher(text);
            if (setting.getStringValue().isPresent() && reason.find()) {
                String why = reason.group(1).replaceAll("\\s+", " ").replaceFirst("\\.$", "");
                reasons.append(", ")
                        .append(setting.environmentVariable())
                        .append(" is set but: ")
                        .append(why);
            }
        });
        return reasons.toString();
    }

    private String advice(SdkException failed, String text) {
        if (failed instanceof AwsServiceException answer) {
            String code = answer.awsErrorDetails() == null
                    ? ""
                    : answer.awsErrorDetails().errorCode();
            if ("NoSuchBucket".equals(code)) {
                return "; there is no bucket " + uri.bucket() + ": make it, or name another one";
            }
            return switch (answer.statusCode()) {
                case FORBIDDEN ->
                    "; are the credentials the right ones? They need s3:ListBucket on the bucket, and s3:GetObject,"
                            + " s3:PutObject, s3:DeleteObject and s3:AbortMultipartUpload on its objects";
                case MOVED -> "; the bucket is in another region, name that by ?region=";
                default -> "";
            };
        }
        if (text.contains("credentials")) {
            return "; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile, or the role of the machine or of a"
                    + " service account";
        }
        if (text.contains("region")) {
            return "; name it by ?region= or AWS_REGION";
        }
        return isUnreachable(failed) ? "; does a server listen at this endpoint, and is the network there?" : "";
    }

    private static boolean isUnreachable(Throwable failed) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException || cause instanceof UnknownHostException) {
                return true;
            }
        }
        return false;
    }
}
